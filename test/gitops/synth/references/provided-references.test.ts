import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { referenceKey } from '#kubernetes/objects/references';
import { type ProvidedContext, providedBy } from '#lib/gitops/synth/references/provided-references';

const CONTEXT: ProvidedContext = {
  lookup: { clusterIssuers: 'certs', bundles: 'certs' },
  namespaces: [
    { name: 'linkerd', labels: { mesh: 'yes' } },
    { name: 'shop', labels: {} },
  ],
};

function provided(apiVersion: string, kind: string, fields: Partial<KubernetesObject> = {}): readonly string[] {
  const object = { apiVersion, kind, metadata: { name: 'it', namespace: 'shop' }, ...fields };
  return providedBy(object, CONTEXT).map(referenceKey);
}

test.each([
  ['v1', 'Secret'],
  ['v1', 'ConfigMap'],
  ['v1', 'ServiceAccount'],
  ['v1', 'Service'],
  ['cert-manager.io/v1', 'Issuer'],
  ['cert-manager.io/v1', 'Certificate'],
  ['traefik.io/v1alpha1', 'Middleware'],
  ['k8s.cni.cncf.io/v1', 'NetworkAttachmentDefinition'],
])('%s %s provides itself', (apiVersion, kind) => expect(provided(apiVersion, kind)).toEqual([`${kind} shop/it`]));

test.each([
  ['v1', 'Namespace'],
  ['cert-manager.io/v1', 'ClusterIssuer'],
])('%s %s provides itself, without a namespace', (apiVersion, kind) => {
  expect(provided(apiVersion, kind, { metadata: { name: 'it' } })).toEqual([`${kind} it`]);
});

test.each([
  ['apps/v1', 'Deployment'],
  ['serving.knative.dev/v1', 'Service'],
  ['networking.internal.knative.dev/v1', 'Certificate'],
])('%s %s provides no reference', (apiVersion, kind) => expect(provided(apiVersion, kind)).toEqual([]));

test('a Certificate provides its Secret', () => {
  expect(provided('cert-manager.io/v1', 'Certificate', { spec: { secretName: 'tls' } })).toContain('Secret shop/tls');
});

test('an ACME issuer provides the Secret of its account', () => {
  const spec = { acme: { privateKeySecretRef: { name: 'account' } } };
  expect(provided('cert-manager.io/v1', 'Issuer', { spec })).toContain('Secret shop/account');
  expect(provided('cert-manager.io/v1', 'ClusterIssuer', { spec, metadata: { name: 'it' } })).toContain(
    'Secret certs/account',
  );
});

describe('an Ingress', () => {
  const spec = { tls: [{ secretName: 'tls' }] };

  test.each(['cert-manager.io/issuer', 'cert-manager.io/cluster-issuer', 'kubernetes.io/tls-acme'])(
    'provides its TLS Secrets with the annotation %s of cert-manager',
    (key) => {
      const metadata = { name: 'it', namespace: 'shop', annotations: { [key]: 'x' } };
      expect(provided('networking.k8s.io/v1', 'Ingress', { spec, metadata })).toEqual(['Secret shop/tls']);
    },
  );

  test('provides no Secret without an annotation of cert-manager', () => {
    expect(provided('networking.k8s.io/v1', 'Ingress', { spec })).toEqual([]);
  });
});

describe.each([
  ['trust.cert-manager.io/v1alpha1', 'Bundle'],
  ['trust-manager.io/v1alpha2', 'ClusterBundle'],
])('%s %s', (apiVersion, kind) => {
  const targets = (target: object) => provided(apiVersion, kind, { metadata: { name: 'roots' }, spec: { target } });

  test('provides its ConfigMap in a namespace that it selects by name', () => {
    const namespaceSelector = { matchLabels: { 'kubernetes.io/metadata.name': 'linkerd' } };
    expect(targets({ configMap: { key: 'k' }, namespaceSelector })).toEqual(['ConfigMap linkerd/roots']);
  });

  test('provides its ConfigMap in namespaces with the selected label', () => {
    expect(targets({ configMap: { key: 'k' }, namespaceSelector: { matchLabels: { mesh: 'yes' } } })).toEqual([
      'ConfigMap linkerd/roots',
    ]);
  });

  test('provides a ConfigMap or Secret in all namespaces without a selector', () => {
    expect(targets({ secret: { key: 'k' } })).toEqual(['Secret linkerd/roots', 'Secret shop/roots']);
  });
});
