import { stringifyYaml } from '#base/yaml-writer';
import { FileReader } from '#lib/gitops/changes/file-contents';
import { anchorChange, checkAnchorChange, managerChange, meshTrust } from '#lib/gitops/changes/mesh-trust';

/** A root, its renewal with the same key, and another subject with the same key. */
const [ROOT, RENEWED, RENAMED] = [
  `-----BEGIN CERTIFICATE-----
MIIBizCCATKgAwIBAgIBATAKBggqhkjOPQQDAjAlMSMwIQYDVQQDDBpyb290Lmxp
bmtlcmQuY2x1c3Rlci5sb2NhbDAeFw0yNjExMjMwNDU4MjNaFw0zNjExMjAwNDU4
MjNaMCUxIzAhBgNVBAMMGnJvb3QubGlua2VyZC5jbHVzdGVyLmxvY2FsMFkwEwYH
KoZIzj0CAQYIKoZIzj0DAQcDQgAEO+uC0CSiRvyRaodprOLNUdbbb2GVjHKB3fSn
FGKyYeaav48YPzhBZxBBoWz+eJTn/NzvQyq68fo2InlmEz69kaNTMFEwHQYDVR0O
BBYEFDDm+GJggcidP7UZcWUcb0a2k92WMB8GA1UdIwQYMBaAFDDm+GJggcidP7UZ
cWUcb0a2k92WMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDRwAwRAIgEEX+
NZax3YZuDN9vPuDBJy+twSY701fPasbpyAR2Yn4CIAfbs0htC8oTzJAHMJsiedkr
81Vf6JeCEF4UuZ9z9cfW
-----END CERTIFICATE-----`,
  `-----BEGIN CERTIFICATE-----
MIIBjTCCATKgAwIBAgIBAjAKBggqhkjOPQQDAjAlMSMwIQYDVQQDDBpyb290Lmxp
bmtlcmQuY2x1c3Rlci5sb2NhbDAeFw0yNjExMjMwNDU4MjNaFw00NjExMTgwNDU4
MjNaMCUxIzAhBgNVBAMMGnJvb3QubGlua2VyZC5jbHVzdGVyLmxvY2FsMFkwEwYH
KoZIzj0CAQYIKoZIzj0DAQcDQgAEO+uC0CSiRvyRaodprOLNUdbbb2GVjHKB3fSn
FGKyYeaav48YPzhBZxBBoWz+eJTn/NzvQyq68fo2InlmEz69kaNTMFEwHQYDVR0O
BBYEFDDm+GJggcidP7UZcWUcb0a2k92WMB8GA1UdIwQYMBaAFDDm+GJggcidP7UZ
cWUcb0a2k92WMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSQAwRgIhALZZ
YoRJ37kSRnbPOSCOJuh5BdkUgiK+8gmxaA875tDWAiEA9D+H3X6xii5np8FpCg8u
d3pof/PpRZjZ9nB0DEweYPk=
-----END CERTIFICATE-----`,
  `-----BEGIN CERTIFICATE-----
MIIBYTCCAQigAwIBAgIBAzAKBggqhkjOPQQDAjAQMQ4wDAYDVQQDDAVvdGhlcjAe
Fw0yNjExMjMwNDU4MjNaFw0zNjExMjAwNDU4MjNaMBAxDjAMBgNVBAMMBW90aGVy
MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEO+uC0CSiRvyRaodprOLNUdbbb2GV
jHKB3fSnFGKyYeaav48YPzhBZxBBoWz+eJTn/NzvQyq68fo2InlmEz69kaNTMFEw
HQYDVR0OBBYEFDDm+GJggcidP7UZcWUcb0a2k92WMB8GA1UdIwQYMBaAFDDm+GJg
gcidP7UZcWUcb0a2k92WMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDRwAw
RAIgAXVPFCevDIoX7iJBIyQHU5kDqJbDdRzIqN3JkmlnhisCIBUVkj/fH9QUI5hA
hvgDNCeOm1IwZnKqe0Uz/WJwIa26
-----END CERTIFICATE-----`,
];

type Files = Readonly<Record<string, object>>;

function change(before: Files, after: Files) {
  const reader = new FileReader();
  const of = (files: Files) =>
    meshTrust(new Map(Object.entries(files).map(([path, object]) => [path, stringifyYaml(object)])), reader);
  return anchorChange(of(before), of(after));
}

const issuer = (issuerRef: object, annotations = {}): object => ({
  apiVersion: 'cert-manager.io/v1',
  kind: 'Certificate',
  metadata: { name: 'linkerd-identity-issuer', namespace: 'linkerd', annotations },
  spec: { secretName: 'linkerd-identity-issuer', issuerRef },
});
const caIssuer = (secretName: string): object => ({
  apiVersion: 'cert-manager.io/v1',
  kind: 'ClusterIssuer',
  metadata: { name: 'signer' },
  spec: { ca: { secretName } },
});
const anchor = (spec: object, name = 'root'): object => ({
  apiVersion: 'cert-manager.io/v1',
  kind: 'Certificate',
  metadata: { name, namespace: 'cert-manager' },
  spec: { secretName: name, isCA: true, issuerRef: { name: 'self' }, ...spec },
});
const mesh = (signer: object, more: Files = {}): Files => ({
  'linkerd/certificate.linkerd-identity-issuer.yaml': issuer({ kind: 'ClusterIssuer', name: 'signer' }),
  'cert-manager/clusterissuer.signer.yaml': signer,
  ...more,
});

const values = (identityTrustAnchorsPEM: string): Files => ({
  'linkerd/values.yaml': { 'linkerd-control-plane': { identityTrustAnchorsPEM } },
});
const configMap = (pem: string): Files => ({
  'linkerd/configmap.linkerd-identity-trust-roots.yaml': {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'linkerd-identity-trust-roots', namespace: 'linkerd' },
    data: { 'ca-bundle.crt': pem },
  },
});
const bundle = (...pems: readonly string[]): Files => ({
  'cert-manager/templates/bundle.linkerd-identity-trust-roots.yaml': {
    apiVersion: 'trust.cert-manager.io/v1alpha1',
    kind: 'Bundle',
    metadata: { name: 'linkerd-identity-trust-roots' },
    spec: { sources: pems.map((inLine) => ({ inLine })) },
  },
});

test.each([
  ['values of the chart', values],
  ['the ConfigMap of the chart', configMap],
  ['a Bundle', bundle],
])('synth identifies roots in %s by subject and key', (_, of) => {
  expect(change(of(ROOT), of(`${RENEWED}\n`))).toBeUndefined();
  expect(change(of(ROOT), of(`${RENAMED}\n${ROOT}`))).toBeUndefined();
  expect(change(of(ROOT), of(RENAMED))).toMatchObject({ lost: [expect.stringContaining('CN=root.linkerd')] });
  expect(change(of(`${ROOT}\n${RENAMED}`), of(ROOT))).toMatchObject({ lost: [expect.stringContaining('CN=other')] });
});

test('synth finds no roots without a mesh, or in strings that are not certificates', () => {
  expect(change({}, values(ROOT))).toBeUndefined();
  expect(change(values(ROOT), {})).toBeUndefined();
  expect(change(values('-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----'), bundle(ROOT))).toBeUndefined();
});

test('synth detects another key of a signer by the fields of its Certificate', () => {
  const own = (spec: object) => mesh(caIssuer('root'), { 'cert-manager/certificate.root.yaml': anchor(spec) });
  expect(change(own({ duration: '24h' }), own({ duration: '1440m' }))).toBeUndefined();
  expect(change(own({}), own({ renewBefore: '1h', secretTemplate: { labels: { a: 'b' } } }))).toBeUndefined();
  expect(change(own({ duration: '24h' }), own({ duration: '48h' }))?.fields).toEqual(['duration']);
  expect(change(own({}), own({ privateKey: { algorithm: 'ECDSA' } }))?.fields).toEqual(['privateKey']);
  // With rotationPolicy Never the key stays, but a root with another name is another root.
  const kept = { privateKey: { rotationPolicy: 'Never' } };
  expect(change(own({ ...kept, duration: '24h' }), own({ ...kept, duration: '48h' }))).toBeUndefined();
  expect(change(own({ ...kept, commonName: 'a' }), own({ ...kept, commonName: 'b' }))?.fields).toEqual(['commonName']);
  // Without its Certificate, a Secret of the same name may have another key.
  expect(change(own({}), mesh(caIssuer('root')))).toMatchObject({ to: 'Secret root' });
});

test('synth compares custom issuers by name and request, and ignores their credentials', () => {
  const vault = (spec: object): object => ({
    apiVersion: 'cert-manager.io/v1',
    kind: 'ClusterIssuer',
    metadata: { name: 'signer' },
    spec: { vault: { server: 'https://vault', path: 'pki/sign/mesh', ...spec } },
  });
  expect(change(mesh(vault({ auth: { token: 'a' } })), mesh(vault({ auth: { kubernetes: {} } })))).toBeUndefined();
  expect(change(mesh(vault({})), mesh(vault({ path: 'other/sign/mesh' })))?.fields).toEqual(['vault']);
  const by = (issuerRef: object): Files => ({ 'linkerd/certificate.linkerd-identity-issuer.yaml': issuer(issuerRef) });
  const external = { kind: 'AWSPCAClusterIssuer', group: 'awspca.cert-manager.io', name: 'a' };
  expect(change(by(external), by(external))).toBeUndefined();
  expect(change(by(external), by({ ...external, name: 'b' }))).toMatchObject({ to: 'AWSPCAClusterIssuer b' });
});

test('the operator may take over from an external issuer only if the bundle keeps its roots', () => {
  const by = (issuerRef: object): Files => ({ 'linkerd/certificate.linkerd-identity-issuer.yaml': issuer(issuerRef) });
  const external = by({ kind: 'AWSPCAClusterIssuer', group: 'awspca.cert-manager.io', name: 'a' });
  const operated: Files = {
    ...by({ kind: 'ClusterIssuer', name: 'linkerd-identity-issuer' }),
    'linkerd/trustanchor.linkerd.yaml': {
      apiVersion: 'config.linkerd.io/v1alpha1',
      kind: 'TrustAnchor',
      metadata: { name: 'linkerd' },
    },
  };
  const moved = { from: 'AWSPCAClusterIssuer a', to: 'TrustAnchor linkerd' };
  expect(change({ ...external, ...bundle(ROOT) }, { ...operated, ...bundle(ROOT) })).toBeUndefined();
  expect(change({ ...external, ...bundle(ROOT) }, operated)).toMatchObject(moved);
  // Without roots in the output, synth cannot compare them.
  expect(change(external, operated)).toMatchObject(moved);
});

describe('a return from the operator', () => {
  const by = (name: string): Files => ({
    'linkerd/certificate.linkerd-identity-issuer.yaml': issuer({ kind: 'ClusterIssuer', name }),
  });
  const operated: Files = {
    ...by('linkerd-identity-issuer'),
    'linkerd/trustanchor.linkerd.yaml': {
      apiVersion: 'config.linkerd.io/v1alpha1',
      kind: 'TrustAnchor',
      metadata: { name: 'linkerd' },
    },
  };
  const own = (secret: string): Files => ({
    ...mesh(caIssuer(secret)),
    'cert-manager/certificate.anchor.yaml': anchor({}, secret),
  });

  test('to another trust anchor must be accepted by the user', () => {
    const found = change(operated, own('linkerd-trust-anchor'));
    expect(found).toMatchObject({ from: 'TrustAnchor linkerd', to: 'Certificate cert-manager/linkerd-trust-anchor' });
    const [problem] = checkAnchorChange(found);
    expect(problem).toMatchObject({ code: 'anchor-changed', cause: 'operator' });
    expect(problem?.fix).toContain(found?.id);
    expect(problem?.fix).toContain('never deployed');
  });

  test('to the trust anchor that the operator left keeps the key', () => {
    const left = own('linkerd-trust-anchor-2');
    expect(change(operated, left)).toBeUndefined();
    expect(change(own('linkerd-trust-anchor'), operated)).toBeUndefined();
    const trust = (files: Files) =>
      meshTrust(
        new Map(Object.entries(files).map(([path, object]) => [path, stringifyYaml(object)])),
        new FileReader(),
      );
    expect(managerChange(trust(operated), trust(left))).toEqual({
      from: 'TrustAnchor linkerd',
      to: 'Certificate cert-manager/linkerd-trust-anchor-2',
    });
    expect(managerChange(trust(operated), trust(operated))).toBeUndefined();
    expect(managerChange(trust(operated), trust(own('linkerd-trust-anchor')))).toBeUndefined();
    expect(managerChange(undefined, trust(left))).toBeUndefined();
  });
});

test('the user accepts a change of the trust anchor by a text that describes it', () => {
  const by = (name: string, accepted = ''): Files => ({
    'linkerd/certificate.linkerd-identity-issuer.yaml': issuer(
      { kind: 'ClusterIssuer', name },
      accepted === '' ? {} : { 'cdk8s-linkerd/accepted-anchor-change': accepted },
    ),
  });
  const { id = '' } = change(by('a'), by('b')) ?? {};
  expect(id).toMatch(/^ClusterIssuer a -> ClusterIssuer b \([0-9a-f]{8}\)$/);
  expect(change(by('a'), by('b', `x; ${id}`))?.isAccepted).toBe(true);
  expect(change(by('b'), by('a', id))?.isAccepted).toBe(false);
  expect(change(by('a'), by('c', id))?.isAccepted).toBe(false);
  expect(change(by('a'), by('b', id.slice(0, -1)))?.isAccepted).toBe(false);
});
