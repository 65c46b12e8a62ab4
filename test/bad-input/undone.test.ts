import * as library from '#lib';
import {
  CertManager,
  CertManagerPKI,
  type ClusterProps,
  ensureNamespace,
  JaegerToTempo,
  LinkerdCni,
  LinkerdControlPlane,
  LinkerdCrds,
  Prometheus,
  SuccessRate,
  TrustAnchor,
  TrustManager,
  Viz,
} from '#lib';
import { exactly, expectFirst, mesh, rightPlatform } from '../support/bad-input-fixture';

const { refused } = rightPlatform();

test('the library does not export Cluster, which loses its charts in another App than a Platform', () => {
  expect(Object.keys(library)).not.toContain('Cluster');
});

test('synth refuses a selector of the injector without the exemptions that high availability requires', () => {
  const values = {
    proxyInjector: {
      namespaceSelector: { matchExpressions: [{ key: 'team', operator: 'NotIn' as const, values: ['infra'] }] },
    },
  };
  expect(refused((cluster) => mesh(cluster, { controlPlane: { highAvailability: true, values } }))).toEqual(
    exactly({
      at: 'home/linkerd',
      code: 'injector-deadlock',
      parameters: { namespaces: 'kube-system, cert-manager, linkerd' },
    }),
  );
});

test.each([
  [{ replicaCount: 0 }, 'replicaCount', '0'],
  [{ cainjector: { enabled: false } }, 'cainjector.enabled', 'false'],
  [{ cainjector: { replicaCount: 0 } }, 'cainjector.replicaCount', '0'],
  [{ webhook: { replicaCount: 0 } }, 'webhook.replicaCount', '0'],
])('synth refuses a cert-manager without a component that the mesh requires: %j', (values, path, value) => {
  expect(refused((cluster) => mesh(cluster, { certManager: { values } }))).toEqual(
    exactly({ at: 'home/cert-manager', code: 'cert-manager-value-refused', parameters: { path, value } }),
  );
});

test('synth refuses objects of trust-manager in another namespace than its release', () => {
  expect(refused((cluster) => mesh(cluster, { trustManager: { values: { namespace: 'other' } } }))).toEqual(
    exactly({
      at: 'home/trust-manager',
      code: 'cert-manager-value-refused',
      parameters: { value: '"other"', namespace: 'cert-manager' },
    }),
  );
});

test('synth refuses a PKI for another DNS domain than that of the cluster', () => {
  expect(refused((cluster) => mesh(cluster, { pki: { clusterDomain: 'other.local' } }))).toEqual(
    exactly({
      at: 'home/pki',
      code: 'cluster-domain-differs',
      parameters: { clusterDomain: 'other.local', ofCluster: 'cluster.local' },
    }),
  );
});

const VAULT = { cluster: { external: [{ kind: 'ClusterIssuer', name: 'vault' } as const] } };

const SOURCE = { at: 'home/pki', code: 'trust-anchor-refused' };
const NO_PEM = { at: 'home/pki', code: 'trust-anchor-refused', parameters: { content: 'no PEM certificate' } };

test.each([
  ['both', { secretName: 'roots', certificates: 'PEM' }, [{ ...SOURCE, parameters: { has: 'both' } }, NO_PEM]],
  ['neither', {}, [{ ...SOURCE, parameters: { has: 'neither' } }]],
])('synth refuses trust roots with %s of secretName and certificates set', (_, roots, expected) => {
  // @ts-expect-error exactly one source is required
  const trustAnchor = TrustAnchor.fromClusterIssuer({ name: 'vault', roots });
  const problems = refused((cluster) => mesh(cluster, { pki: { trustAnchor } }), VAULT);
  expect(problems).toEqual(exactly(...expected));
});

test('synth accepts a destination with a server and an undefined name', () => {
  const cluster: ClusterProps = { destination: { server: 'https://10.0.0.1:6443', name: undefined } };
  expect(refused((home) => mesh(home), { cluster })).toEqual([]);
});

test.each(['kube-system', 'cert-manager'])('synth refuses a Tempo in %s, where pods are never meshed', (namespace) => {
  const problems = refused((cluster) => {
    const { controlPlane } = mesh(cluster);
    const tempo = { service: 'tempo', namespace, serviceAccount: 'tempo' };
    new JaegerToTempo(cluster, 'tracing', { controlPlane, tempo });
  });
  expect(problems).toEqual(
    exactly({ at: 'home/tracing', code: 'namespace-never-injected', parameters: { workload: 'Tempo', namespace } }),
  );
});

test.each<[values: object, code: string, field: string]>([
  [{ proxy: { shutdownGracePeriod: '5 minutes' } }, 'duration-refused', 'proxy.shutdownGracePeriod'],
  [{ destinationResources: { cpu: { request: '1 core' } } }, 'quantity-refused', 'destinationResources.cpu.request'],
  [{ proxy: { logLevel: 'verbose' } }, 'log-filter-refused', 'proxy.logLevel'],
  [{ proxy: { opaquePorts: 'mysql' } }, 'port-refused', 'proxy.opaquePorts'],
  [{ heartbeatSchedule: '61 * * * *' }, 'cron-expression-refused', 'heartbeatSchedule'],
])('synth refuses a value that the proxy or Kubernetes would refuse: %j', (values, code, field) => {
  expectFirst(
    refused((cluster) => mesh(cluster, { controlPlane: { values } })),
    { at: 'home/linkerd', code, parameters: { field: `values.${field}` } },
  );
});

const KEY = '-----BEGIN PRIVATE KEY-----';
const extraObjects = [`stringData: {tls.key: "${KEY}"}`] as never;
const withKey = { commonLabels: { key: KEY } } as never;

test.each<[at: string, path: string, Parameters<typeof refused>[0]]>([
  ['home/cert-manager', 'extraObjects[0]', (cluster) => mesh(cluster, { certManager: { values: { extraObjects } } })],
  ['home/trust-manager', 'extraObjects[0]', (cluster) => mesh(cluster, { trustManager: { values: { extraObjects } } })],
  [
    'home/cni',
    'commonLabels.key',
    (cluster) => mesh(cluster, { controlPlane: { cni: new LinkerdCni(cluster, 'cni', { values: withKey }) } }),
  ],
])('synth refuses a private key in the values of %s, at %s', (at, path, build) => {
  const parameters = { path: `values.${path}` };
  expect(refused(build)).toEqual(exactly({ at, code: 'private-key-found', cause: 'values', parameters }));
});

test('synth refuses the URL of a Prometheus without a scheme for Argo Rollouts', () => {
  const problems = refused((cluster) => {
    mesh(cluster);
    new SuccessRate(cluster, 'rate', { namespace: 'linkerd', prometheusUrl: 'prometheus:9090' });
  });
  expect(problems).toEqual(
    exactly({
      at: 'home/rate',
      code: 'url-refused',
      parameters: { field: 'prometheusUrl', value: 'prometheus:9090', suggestion: 'http://prometheus:9090' },
    }),
  );
});

test('synth refuses an unknown mode of injection', () => {
  const problems = refused((cluster) => {
    mesh(cluster);
    ensureNamespace(cluster, 'shop', { annotations: { 'linkerd.io/inject': 'enable' } });
  });
  expect(problems).toEqual(
    exactly({
      at: 'home/namespace-shop',
      code: 'control-plane-value-refused',
      cause: 'inject-mode',
      parameters: { annotation: 'linkerd.io/inject', mode: '"enable"', proposed: 'enabled' },
    }),
  );
});

const UNKNOWN = 'v9' as never;

test.each<readonly [product: string, path: string, Parameters<typeof refused>[0]]>([
  ['cert-manager', 'home/cert-manager', (cluster) => mesh(cluster, { certManager: { version: UNKNOWN } })],
  ['cert-manager', 'home/other', (cluster) => CertManager.fromExisting(cluster, 'other', { version: UNKNOWN })],
  ['trust-manager', 'home/trust-manager', (cluster) => mesh(cluster, { trustManager: { version: UNKNOWN } })],
  ['trust-manager', 'home/other', (cluster) => TrustManager.fromExisting(cluster, 'other', { version: UNKNOWN })],
  ['Linkerd', 'home/linkerd', (cluster) => mesh(cluster, { controlPlane: { version: UNKNOWN } })],
  ['Linkerd', 'home/cni', (cluster) => new LinkerdCni(cluster, 'cni', { version: UNKNOWN })],
  [
    'Linkerd',
    'home/other',
    (cluster) => LinkerdControlPlane.fromExisting(cluster, 'other', { pki: mesh(cluster).pki, version: UNKNOWN }),
  ],
  ['Linkerd', 'home/crds', (cluster) => new LinkerdCrds(cluster, 'crds', { version: UNKNOWN })],
])('synth refuses an unknown version of %s', (_, path, build) => {
  expect(refused(build)).toMatchObject([{ path, code: 'version-unknown', parameters: { version: '"v9"' } }]);
});

test.each<readonly [string, string, Parameters<typeof refused>[0]]>([
  [
    'CertManagerPKI',
    'home/other',
    (cluster) => {
      const { certManager, trust } = mesh(cluster);
      const pki = CertManagerPKI.fromExisting(cluster, 'existing', { certManager }) as never;
      new LinkerdControlPlane(cluster, 'other', { pki, trust });
    },
  ],
  [
    'LinkerdControlPlane',
    'home/viz',
    (cluster) => {
      const controlPlane = LinkerdControlPlane.fromExisting(cluster, 'existing', { pki: mesh(cluster).pki }) as never;
      new Viz(cluster, 'viz', { controlPlane, prometheus: Prometheus.embedded() });
    },
  ],
])('synth refuses an existing %s for constructs that require a new one', (part, path, build) => {
  expect(refused(build)).toMatchObject([{ path, code: 'part-missing', parameters: { expected: `a ${part}` } }]);
});
