import { checkBundle, issuedSecrets } from '../../../lib/kubernetes/checks/certificate-checks';
import type { KubernetesObject } from '../../../lib/kubernetes/kubernetes-object';

const issuer = (kind: string, name: string, spec: object, namespace?: string): KubernetesObject => ({
  apiVersion: 'cert-manager.io/v1',
  kind,
  metadata: { name, namespace },
  spec,
});
const certificate = (issuerRef: object): KubernetesObject => ({
  apiVersion: 'cert-manager.io/v1',
  kind: 'Certificate',
  metadata: { name: 'ca', namespace: 'cert-manager' },
  spec: { secretName: 'roots', issuerRef },
});
const bundle = (source: object): KubernetesObject => ({
  apiVersion: 'trust.cert-manager.io/v1alpha1',
  kind: 'Bundle',
  metadata: { name: 'roots' },
  spec: { sources: [source] },
});
const ISSUERS = [
  issuer('ClusterIssuer', 'mesh', { ca: { secretName: 'anchor' } }),
  issuer('Issuer', 'vault', { vault: {} }, 'cert-manager'),
  issuer('Issuer', 'self', { selfSigned: {} }, 'cert-manager'),
];
const check = (object: KubernetesObject, ref: object, trustNamespace = 'cert-manager') =>
  checkBundle(object, issuedSecrets([...ISSUERS, certificate(ref)]), trustNamespace);
const BY_NAME = bundle({ secret: { name: 'roots', key: 'ca.crt' } });

test.each([[{ kind: 'ClusterIssuer', name: 'mesh' }], [{ name: 'vault' }], [{ kind: 'Issuer', name: 'vault' }]])(
  'a Secret by name, of a Certificate from %j',
  (ref) => {
    const parameters = {
      bundle: 'Bundle roots',
      field: 'spec.sources[0].secret',
      secret: 'cert-manager/roots, key ca.crt',
      certificate: 'Certificate cert-manager/ca',
    };
    expect(check(BY_NAME, ref)).toMatchObject([{ code: 'bundle-of-issued-certificate', parameters }]);
  },
);

test('a ClusterBundle', () => {
  const spec = { sourceRefs: [{ kind: 'Secret', name: 'roots', key: '*' }] };
  const object = { ...BY_NAME, apiVersion: 'trust-manager.io/v1alpha2', kind: 'ClusterBundle', spec };
  expect(check(object, { name: 'vault' })).toHaveLength(1);
});

test.each([
  ['an anchor that signs itself', BY_NAME, { name: 'self' }],
  ['an issuer of which nothing is known', BY_NAME, { kind: 'ClusterIssuer', name: 'elsewhere' }],
  ['an Issuer of another namespace', BY_NAME, { name: 'mesh' }],
  ['another Secret', bundle({ secret: { name: 'others', key: 'ca.crt' } }), { name: 'vault' }],
  ['Secrets by label', bundle({ secret: { selector: { matchLabels: { a: 'b' } }, key: 'ca.crt' } }), { name: 'vault' }],
  ['a ConfigMap of that name', bundle({ configMap: { name: 'roots', key: 'ca.crt' } }), { name: 'vault' }],
])('%s is fine', (_, object, ref) => {
  expect(check(object, ref)).toEqual([]);
});

test('a Secret where trust-manager does not look', () => {
  expect(check(BY_NAME, { name: 'vault' }, 'trust')).toEqual([]);
});
