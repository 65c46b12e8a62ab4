import { Duration } from 'cdk8s';
import { checkPki, type PkiSettings } from '#lib/constructs/pki/pki-rules';
import { identityName, TrustAnchor, type TrustAnchorSource } from '#lib/constructs/pki/trust-anchor';
import { trustRootsOf } from '#lib/constructs/pki/trust-roots';
import { facts } from '../../support/findings';
import { fixture, hours } from './mesh';

const VALID: PkiSettings = {
  trustAnchor: { ...hours(87_600, 8_760), rotation: 'manual' },
  trustRoots: { from: 'secrets', key: 'tls.crt' },
  identityIssuer: hours(48, 25),
  webhookIssuer: hours(8_760, 720),
  webhooks: hours(168, 48),
  issuanceLifetime: Duration.hours(24),
  clockSkewAllowance: Duration.seconds(20),
  controlPlaneNamespace: 'linkerd',
  clusterDomain: 'cluster.local',
  trustDomain: 'cluster.local',
};

function problemsOf(changes: Partial<PkiSettings>) {
  return checkPki({ ...VALID, ...changes }, 'v1.21.1');
}

function factsOf(changes: Partial<PkiSettings>) {
  return problemsOf(changes).map(facts);
}

function anchoredIn(trustAnchor: TrustAnchorSource) {
  return problemsOf({ trustAnchor, trustRoots: trustRootsOf(trustAnchor) });
}

test.each([
  ['controlPlaneNamespace', 'Linkerd'],
  ['clusterDomain', 'cluster_local'],
  ['trustDomain', 'example..com'],
] as const)('synth refuses a %s that is not a DNS name', (field, value) => {
  expect(factsOf({ [field]: value })).toMatchObject([{ finding: 'name-invalid', field, value: `"${value}"` }]);
});

test('synth refuses a common name of the identity issuer over 64 characters', () => {
  const trustDomain = `${'a'.repeat(40)}.example`;
  expect(identityName({ ...VALID, trustDomain })).toHaveLength(65);
  expect(problemsOf({ trustDomain })).toMatchObject([{ code: 'name-too-long', parameters: { length: 65, most: 64 } }]);
  expect(problemsOf({ trustDomain: trustDomain.slice(1) })).toEqual([]);
});

test.each(['identityIssuer', 'webhookIssuer', 'webhooks'] as const)(
  'synth refuses durations of %s beyond the range of Go',
  (field) => {
    const validity = { duration: Duration.days(120_000), renewBefore: Duration.millis(90_000_000.5) };
    expect(factsOf({ [field]: validity })).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ finding: 'duration-refused/go', field: `${field}.duration` }),
        expect.objectContaining({ finding: 'duration-refused/go', field: `${field}.renewBefore` }),
      ]),
    );
  },
);

test('synth refuses a duration of the trust anchor beyond the range of Go', () => {
  const trustAnchor = { ...hours(87_600, 8_760), duration: Duration.days(120_000), rotation: 'manual' } as const;
  expect(factsOf({ trustAnchor })).toMatchObject([
    { finding: 'duration-refused/go', field: 'trustAnchor.duration', milliseconds: 10368000000000 },
  ]);
});

test('synth refuses durations of the control plane beyond the range of Go', () => {
  expect(factsOf({ issuanceLifetime: Duration.millis(0.5), clockSkewAllowance: Duration.millis(0.25) })).toMatchObject([
    { finding: 'duration-refused/go', field: 'issuanceLifetime', milliseconds: 0.5 },
    { finding: 'duration-refused/go', field: 'clockSkewAllowance', milliseconds: 0.25 },
  ]);
});

test('synth refuses a lifetime of proxy certificates of zero', () => {
  expect(problemsOf({ issuanceLifetime: Duration.millis(0) })).toMatchObject([{ code: 'validity-refused' }]);
});

test.each([
  ['v1.21.1', ['own-domain']],
  ['v1.16.1', ['unsupported', 'own-domain']],
] as const)('synth refuses a constraint for its own trust domain, with cert-manager %s', (version, causes) => {
  const operator = { cluster: 'a', members: ['b'], certifies: [{ cluster: 'b', trustDomain: 'local' }] };
  const trustAnchor = { ...hours(87_600, 8_760), rotation: 'operator', operator } as const;
  const found = checkPki({ ...VALID, trustAnchor }, version).filter(({ code }) => code === 'anchor-constraint-refused');
  expect(found.map(({ cause }) => cause)).toEqual(causes);
});

test('synth does not check durations of external anchors', () => {
  expect(anchoredIn(TrustAnchor.fromSecret({ secretName: 'root' }))).toEqual([]);
});

test.each([
  ['fromSecret', TrustAnchor.fromSecret({ secretName: 'linkerd-identity-issuer', key: 'ca.crt' })],
  [
    'fromClusterIssuer',
    TrustAnchor.fromClusterIssuer({ name: 'ca', roots: { secretName: 'linkerd-identity-issuer', key: 'ca.crt' } }),
  ],
])('synth refuses anchors from the Secret of the identity issuer: %s', (_, trustAnchor) => {
  expect(anchoredIn(trustAnchor)).toMatchObject([{ code: 'trust-anchor-refused' }]);
});

test('synth refuses invalid names of Secret and issuer', () => {
  const roots = { secretName: 'root_secret' };
  expect(anchoredIn(TrustAnchor.fromClusterIssuer({ name: 'CA', roots }))).toMatchObject([
    { code: 'name-invalid', parameters: { field: 'trustAnchor.secretName', value: '"root_secret"' } },
    { code: 'name-invalid', parameters: { field: 'trustAnchor.issuer.name', value: '"CA"' } },
  ]);
});

test('synth refuses PEM anchors that are not root certificates', () => {
  const trustAnchor = TrustAnchor.fromPem({ certificates: fixture('leaf'), issuer: { name: 'vault' } });
  expect(anchoredIn(trustAnchor)).toMatchObject([{ code: 'trust-anchor-refused' }]);
});
