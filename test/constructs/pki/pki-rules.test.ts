import { Duration } from 'cdk8s';
import { identityName } from '../../../lib/constructs/pki/common-names';
import { checkPki, type PkiSettings } from '../../../lib/constructs/pki/pki-rules';
import { TrustAnchor, type TrustAnchorSource } from '../../../lib/constructs/pki/trust-anchor';
import { trustRootsOf } from '../../../lib/constructs/pki/trust-roots';
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

function whatOf(changes: Partial<PkiSettings>): readonly string[] {
  return checkPki({ ...VALID, ...changes }, 'v1.21.1').map(({ what }) => what);
}

function anchoredIn(trustAnchor: TrustAnchorSource): readonly string[] {
  return whatOf({ trustAnchor, trustRoots: trustRootsOf(trustAnchor) });
}

test('the defaults break no rule', () => {
  expect(whatOf({})).toEqual([]);
});

test.each([
  ['controlPlaneNamespace', 'Linkerd'],
  ['clusterDomain', 'cluster_local'],
  ['trustDomain', 'example..com'],
] as const)('%s must be a name that DNS knows', (field, value) => {
  expect(whatOf({ [field]: value })).toEqual([expect.stringContaining(`${field} is "${value}"`)]);
});

test('the name of identity issuers must fit a common name', () => {
  const trustDomain = `${'a'.repeat(40)}.example`;
  expect(identityName({ ...VALID, trustDomain })).toHaveLength(65);
  expect(whatOf({ trustDomain })).toEqual([expect.stringMatching(/^The identity issuer's name .* has 65 characters$/)]);
  expect(whatOf({ trustDomain: trustDomain.slice(1) })).toEqual([]);
});

test.each(['identityIssuer', 'webhookIssuer', 'webhooks'] as const)(
  'durations of %s must be such as Go can hold',
  (field) => {
    const validity = {
      duration: Duration.days(120_000),
      renewBefore: Duration.millis(90_000_000.5),
    };
    expect(whatOf({ [field]: validity })).toEqual(
      expect.arrayContaining([
        expect.stringMatching(new RegExp(`^${field}.duration is \\d+ milliseconds long$`)),
        expect.stringMatching(new RegExp(`^${field}.renewBefore is [\\d.]+ milliseconds long$`)),
      ]),
    );
  },
);

test("so must an own anchor's", () => {
  const trustAnchor = { ...hours(87_600, 8_760), duration: Duration.days(120_000), rotation: 'manual' } as const;
  expect(whatOf({ trustAnchor })).toEqual(['trustAnchor.duration is 10368000000000 milliseconds long']);
});

test('so must what the control plane is given', () => {
  expect(whatOf({ issuanceLifetime: Duration.millis(0.5), clockSkewAllowance: Duration.millis(0.25) })).toEqual([
    'issuanceLifetime is 0.5 milliseconds long',
    'clockSkewAllowance is 0.25 milliseconds long',
  ]);
});

test('proxies need certificates that live', () => {
  expect(whatOf({ issuanceLifetime: Duration.millis(0) })).toEqual(['issuanceLifetime is 0']);
});

test('windows are checked for themselves and against each other', () => {
  expect(whatOf({ identityIssuer: hours(24, 24) })).toEqual([
    'identityIssuer.renewBefore is 24h, and its duration is 24h',
    expect.stringMatching(/^identityIssuer.renewBefore is 24h, less than 24h \(issuanceLifetime\)/),
  ]);
});

test('who rotates an own anchor must be said', () => {
  expect(whatOf({ trustAnchor: hours(87_600, 8_760) })).toEqual([
    expect.stringMatching(/^trustAnchor.rotation is not set/),
  ]);
});

test("windows of others' anchors are not ours to judge", () => {
  expect(anchoredIn(TrustAnchor.fromSecret({ secretName: 'root' }))).toEqual([]);
});

test.each([
  ['fromSecret', TrustAnchor.fromSecret({ secretName: 'linkerd-identity-issuer', key: 'ca.crt' })],
  [
    'fromClusterIssuer',
    TrustAnchor.fromClusterIssuer({ name: 'ca', roots: { secretName: 'linkerd-identity-issuer', key: 'ca.crt' } }),
  ],
])("anchors cannot be read from the identity issuer's own Secret: %s", (_, trustAnchor) => {
  expect(anchoredIn(trustAnchor)).toEqual([
    "The trust anchor is to be read from linkerd-identity-issuer, the identity issuer's own Secret",
  ]);
});

test('names of Secret and issuer must be names', () => {
  const roots = { secretName: 'root_secret' };
  expect(anchoredIn(TrustAnchor.fromClusterIssuer({ name: 'CA', roots }))).toEqual([
    expect.stringContaining('trustAnchor.secretName is "root_secret"'),
    expect.stringContaining('trustAnchor.issuer.name is "CA"'),
  ]);
});

test('PEM anchors must be anchors', () => {
  const trustAnchor = TrustAnchor.fromPem({ certificates: fixture('leaf'), issuer: { name: 'vault' } });
  expect(anchoredIn(trustAnchor)).toEqual([expect.stringContaining('is not a CA certificate')]);
});

test('all is reported at once', () => {
  expect(
    whatOf({
      trustAnchor: hours(8_760, 7_320),
      identityIssuer: hours(48, 24),
      webhooks: hours(1_000, 10),
      trustDomain: 'A',
    }),
  ).toHaveLength(5);
});
