import { Duration } from 'cdk8s';
import { TrustAnchor } from '../../lib';
import { fixture as pem } from '../constructs/pki/mesh';
import {
  byHand,
  type Expected,
  exactly,
  expectFirst,
  hours,
  type Mistakes,
  mesh,
  rightPlatform,
} from '../support/bad-input-fixture';

const { refused } = rightPlatform();

const anchor = (duration: number, renewBefore: number, rotation?: 'manual' | 'automatic-unsafe'): Mistakes => ({
  pki: { trustAnchor: { ...hours(duration, renewBefore), rotation } },
});

const WINDOWS: readonly (readonly [string, Mistakes, Expected])[] = [
  [
    "the official guide's anchor, renewed after two months instead of two months before its end",
    anchor(8760, 7320, 'manual'),
    {
      at: 'home/pki',
      code: 'validity-refused',
      parameters: {
        renewBefore: '7320h (305 days)',
        duration: '8760h (365 days)',
        age: '1440h (60 days)',
        proposed: '{ duration: Duration.days(365), renewBefore: Duration.days(60) }',
      },
    },
  ],
  [
    'an issuer that outlives its anchor',
    anchor(8760, 24, 'manual'),
    {
      at: 'home/pki',
      code: 'certificate-outlives-issuer',
      parameters: {
        duration: '48h',
        renewBefore: '24h',
        proposed: expect.stringMatching('^{ duration: Duration.days\\(365\\), renewBefore: Duration.days\\(2\\) }'),
      },
    },
  ],
  [
    'a proxy certificate that outlives its issuer',
    { pki: { identityIssuer: hours(48, 24) } },
    {
      at: 'home/pki',
      code: 'certificate-outlives-issuer',
      parameters: {
        renewBefore: '24h',
        issuanceLifetime: '24h',
        clockSkewAllowance: '20s',
        proposed: '{ duration: Duration.days(2), renewBefore: Duration.hours(25) }',
      },
    },
  ],
  [
    'a webhook certificate that outlives its CA',
    { pki: { webhooks: hours(24 * 60, 24) } },
    {
      at: 'home/pki',
      code: 'certificate-outlives-issuer',
      parameters: {
        duration: '1440h (60 days)',
        renewBefore: '720h (30 days)',
        proposed: '{ duration: Duration.days(365), renewBefore: Duration.days(60) }',
      },
    },
  ],
  [
    'an anchor that is due before it is issued',
    anchor(8760, 8760, 'manual'),
    {
      at: 'home/pki',
      code: 'validity-refused',
      parameters: {
        certificate: 'trustAnchor',
        duration: '8760h (365 days)',
        renewBefore: '8760h (365 days)',
        proposed: expect.stringContaining('{ duration: Duration.days(365)'),
      },
    },
  ],
  [
    'an issuer that is due before it is issued',
    { pki: { identityIssuer: hours(48, 48) } },
    {
      at: 'home/pki',
      code: 'validity-refused',
      parameters: {
        certificate: 'identityIssuer',
        duration: '48h',
        renewBefore: '48h',
        proposed: '{ duration: Duration.days(2), renewBefore: Duration.hours(25) }',
      },
    },
  ],
  [
    "less than cert-manager's shortest duration",
    { pki: { webhooks: { duration: Duration.minutes(30), renewBefore: Duration.minutes(10) } } },
    {
      at: 'home/pki',
      code: 'validity-refused',
      parameters: { certificate: 'webhooks', duration: '30m', proposed: 'Duration.hours(1)' },
    },
  ],
  [
    "less than cert-manager's shortest renewBefore",
    { pki: { webhooks: { duration: Duration.days(7), renewBefore: Duration.minutes(4) } } },
    {
      at: 'home/pki',
      code: 'validity-refused',
      parameters: { certificate: 'webhooks', renewBefore: '4m', proposed: 'Duration.minutes(5)' },
    },
  ],
  [
    'an anchor that renews by itself, with nothing to restart the proxies',
    { ...anchor(87_600, 8760), certManager: { version: 'v1.16.1' } },
    { at: 'home/pki', code: 'anchor-rotation-refused', parameters: { version: 'v1.16.1' } },
  ],
  [
    'an anchor that its cert-manager cannot leave alone',
    { ...anchor(87_600, 8760, 'manual'), certManager: { version: 'v1.16.1' } },
    { at: 'home/pki', code: 'anchor-rotation-refused', parameters: { version: 'v1.16.1' } },
  ],
];

test.each(WINDOWS)('%s', (_, mistakes, expected) => {
  expectFirst(
    refused((cluster) => mesh(cluster, mistakes)),
    expected,
  );
});

const byIdentityIssuer: Expected = { at: 'home/pki', code: 'trust-anchor-refused' };

const VAULT = { cluster: { external: [{ kind: 'ClusterIssuer', name: 'vault' } as const] } };

test.each([
  ['an anchor', TrustAnchor.fromSecret({ secretName: 'linkerd-identity-issuer', key: 'ca.crt' })],
  ['roots', TrustAnchor.fromClusterIssuer({ name: 'vault', roots: { secretName: 'linkerd-identity-issuer' } })],
] as const)("a bundle fed from an issuer's ca.crt, as %s", (_, trustAnchor) => {
  expect(refused((cluster) => mesh(cluster, { pki: { trustAnchor } }), VAULT)).toEqual(exactly(byIdentityIssuer));
});

test('a private key among the anchors', () => {
  const key = '-----BEGIN EC PRIVATE KEY-----\nMHcCAQEE\n-----END EC PRIVATE KEY-----\n';
  const trustAnchor = TrustAnchor.fromPem({ certificates: `${pem('anchor')}${key}`, issuer: { name: 'vault' } });
  expect(refused((cluster) => mesh(cluster, { pki: { trustAnchor } }), VAULT)).toEqual(
    exactly({
      at: 'home/pki',
      code: 'private-key-found',
      cause: 'roots',
      parameters: { block: 'block 2 of trustAnchor.certificates' },
    }),
  );
});

/** The blog's own Certificates, one mistake each. */
const BY_HAND: readonly (readonly [string, object, Expected])[] = [
  [
    'renewBefore without a unit',
    { duration: '168h', renewBefore: 24 },
    {
      at: 'home/own/Certificate',
      code: 'field-refused',
      cause: 'type',
      parameters: {
        field: 'spec.renewBefore',
        value: '24',
        expected: 'string',
        remedy: 'quote',
      },
    },
  ],
  [
    'usages whose colon is missing, so that they are no list',
    { usages: 'server auth' },
    {
      at: 'home/own/Certificate',
      code: 'field-refused',
      cause: 'type',
      parameters: {
        field: 'spec.usages',
        value: '"server auth"',
        expected: 'array',
        remedy: 'list',
      },
    },
  ],
  [
    'a usage that there is none of',
    { usages: ['server-auth'] },
    {
      at: 'home/own/Certificate',
      code: 'field-refused',
      cause: 'not-supported',
      parameters: {
        field: 'spec.usages[0]',
        value: '"server-auth"',
        supported: expect.stringContaining('"server auth"'),
        remedy: 'meant',
        hint: '"server auth"',
      },
    },
  ],
  [
    'a field that Certificates do not have',
    { renewbefore: '24h' },
    {
      at: 'home/own/Certificate',
      code: 'field-refused',
      cause: 'unknown',
      parameters: { field: 'spec.renewbefore', remedy: 'meant', hint: 'spec.renewBefore' },
    },
  ],
];

test.each(BY_HAND)('a Certificate by hand: %s', (_, spec, expected) => {
  const problems = refused((cluster) => {
    const { pki } = mesh(cluster);
    byHand(cluster, [pki], {
      apiVersion: 'cert-manager.io/v1',
      kind: 'Certificate',
      metadata: { name: 'jaeger-injector', namespace: 'linkerd' },
      spec: {
        secretName: 'jaeger-injector-k8s-tls',
        issuerRef: { kind: 'ClusterIssuer', name: 'linkerd-webhook-issuer' },
        dnsNames: ['jaeger-injector.linkerd.svc'],
        ...spec,
      },
    });
  });
  expect(problems).toEqual(exactly(expected));
});
