import { TrustAnchor } from '../../../lib/constructs/pki/trust-anchor';
import type { CertManagerVersion } from '../../../lib/linkerd/releases/cert-manager';
import { allWarningsOf, fixture, hours, pkiChart } from './mesh';

type Props = Parameters<typeof pkiChart>[0];

function warnings(props: Props, version?: CertManagerVersion): readonly string[] {
  return allWarningsOf(pkiChart(props, version).chart).map(({ what }) => what);
}

const UNSAFE = { ...hours(8_760, 720), rotation: 'automatic-unsafe' } as const;

test('nothing is left to be warned of', () => {
  expect(warnings({ alerts: {} })).toEqual([]);
});

test('an own anchor without alerts', () => {
  expect(warnings({})).toEqual(['The PKI has no alerts']);
});

test('an anchor that renews by itself', () => {
  expect(warnings({ alerts: {}, trustAnchor: UNSAFE })).toEqual(["trustAnchor.rotation is 'automatic-unsafe'"]);
});

test('a cainjector that drops the old CA', () => {
  expect(warnings({ alerts: {}, trustAnchor: UNSAFE }, 'v1.16.1')).toContain(
    "The cainjector of cert-manager v1.16.1 replaces a webhook's CA at once when webhookIssuer is renewed",
  );
});

test('a Secret that needs a label', () => {
  expect(warnings({ trustAnchor: TrustAnchor.fromSecret({ secretName: 'root' }) })).toEqual([
    expect.stringContaining('finds the Secret cert-manager/root by the label cdk8s-linkerd/trust-anchor=current'),
  ]);
});

test('a duplicate anchor', () => {
  const trustAnchor = TrustAnchor.fromPem({ certificates: fixture('anchor').repeat(2), issuer: { name: 'vault' } });
  expect(warnings({ alerts: {}, trustAnchor })).toEqual([expect.stringContaining('repeats the certificate')]);
});

test('a certificate that is replaced as soon as it is issued is a risk', () => {
  expect(warnings({ alerts: {}, identityIssuer: hours(48, 47.5) })).toEqual([
    'identityIssuer is renewed every 30m: its duration less its renewBefore',
  ]);
  expect(warnings({ alerts: {}, identityIssuer: hours(48, 47) })).toEqual([]);
  expect(warnings({ alerts: {}, identityIssuer: hours(48, 48) })).toEqual([]);
});
