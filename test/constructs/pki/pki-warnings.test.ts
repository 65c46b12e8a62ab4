import { checkConstrainedMembers } from '#lib/constructs/pki/pki-rules';
import { TrustAnchor } from '#lib/constructs/pki/trust-anchor';
import type { CertManagerVersion } from '#linkerd/releases/cert-manager';
import { allWarningsOf, fixture, hours, pkiChart } from './mesh';

type Props = Parameters<typeof pkiChart>[0];

function warnings(props: Props, version?: CertManagerVersion) {
  return allWarningsOf(pkiChart(props, version).chart);
}

const UNSAFE = { ...hours(8_760, 720), rotation: 'automatic-unsafe' } as const;

test('synth warns of a PKI without alerts', () => {
  expect(warnings({})).toMatchObject([{ code: 'certificate-alerts-missing', parameters: {} }]);
});

test('synth warns of a cainjector that drops the old CA', () => {
  expect(warnings({ alerts: {}, trustAnchor: UNSAFE }, 'v1.16.1')).toMatchObject([
    { code: 'anchor-renewal-automatic' },
    { code: 'webhook-ca-replaced', parameters: { version: 'v1.16.1' } },
  ]);
});

test('synth warns of a duplicate anchor', () => {
  const trustAnchor = TrustAnchor.fromPem({ certificates: fixture('anchor').repeat(2), issuer: { name: 'vault' } });
  expect(warnings({ alerts: {}, trustAnchor })).toMatchObject([{ code: 'trust-root-duplicate' }]);
});

test('synth warns of a certificate that is renewed less than an hour after its issuance', () => {
  expect(warnings({ alerts: {}, identityIssuer: hours(48, 47.5) })).toMatchObject([
    { code: 'certificate-renewal-loop', parameters: { certificate: 'identityIssuer', every: '30m' } },
  ]);
  expect(warnings({ alerts: {}, identityIssuer: hours(48, 47) })).toEqual([]);
  expect(warnings({ alerts: {}, identityIssuer: hours(48, 48) })).toEqual([]);
});

test('synth warns of a certified cluster without a name constraint', () => {
  const operator = (...certifies: { readonly cluster: string; readonly trustDomain?: string }[]) => ({
    ...hours(87_600, 8_760),
    rotation: 'operator' as const,
    operator: { cluster: 'east', members: ['west', 'north'], certifies },
  });
  const codes = (trustAnchor: NonNullable<Props>['trustAnchor']) =>
    warnings({ alerts: {}, trustAnchor }, 'v1.21.1').filter(({ code }) => code === 'anchor-certified-unconstrained');
  expect(codes(operator({ cluster: 'west', trustDomain: 'west.example' }))).toEqual([]);
  expect(codes(operator({ cluster: 'west' }, { cluster: 'north', trustDomain: 'north.example' }))).toMatchObject([
    { parameters: { cluster: 'west' } },
  ]);
});

test('checkConstrainedMembers reports members that proxies before edge-26.4.4 constrain only by DNS names', () => {
  const trustAnchor = (trustDomain?: string) => ({
    ...hours(87_600, 8_760),
    rotation: 'operator' as const,
    operator: { cluster: 'east', members: ['west'], certifies: [{ cluster: 'west', trustDomain }] },
  });
  const causes = (version: string, trustDomain?: string) =>
    checkConstrainedMembers(trustAnchor(trustDomain), version).map(({ cause }) => cause);
  expect(causes('edge-26.4.3', 'west.example')).toEqual(['release']);
  expect(causes('stable-2.14.10', 'west.example')).toEqual(['release']);
  expect(causes('edge-26.4.4', 'west.example')).toEqual([]);
  expect(causes('edge-26.4.3')).toEqual([]);
});
