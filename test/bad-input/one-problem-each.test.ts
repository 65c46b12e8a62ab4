import { Cron } from 'cdk8s';
import {
  type Cluster,
  type ControlPlaneValues,
  ensureNamespace,
  HelmRelease,
  LinkerdConfig,
  type LinkerdConfigProps,
  LinkerdCrds,
  LinkerdMesh,
  Meshing,
  type NamespaceConfig,
  Prometheus,
  ReconcilerOperator,
  type ReconcilerOperatorProps,
  Viz,
  type VizValues,
} from '#lib';
import { type Build, byHand, hours, MAX_OF_ONE, mesh, rightPlatform } from '../support/bad-input-fixture';

const { refused } = rightPlatform();

test.each(['Cluster_Local', 'Cluster.Local'])('synth refuses a cluster domain %s with few problems', (domain) => {
  expect(refused((cluster) => mesh(cluster), { cluster: { domain } })).toHaveLength(1);
  const names = ['metrics-api', 'prometheus'].map((service) => `"${service}.linkerd-viz.svc.${domain}"`);
  expect(refused((cluster) => new LinkerdMesh(cluster, 'mesh'), { cluster: { domain } })).toMatchObject([
    { path: 'home/mesh/pki', code: 'name-invalid', parameters: { field: 'clusterDomain' } },
    ...names.map((value) => ({ code: 'name-invalid', parameters: { field: 'metadata.name', value } })),
  ]);
});

test.each([
  ['with the same names', {}],
  ['in another namespace', { pki: { controlPlaneNamespace: 'linkerd-2' } }],
])('synth refuses a second mesh in a cluster with one problem: %s', (_, props) => {
  const problems = refused((cluster) => [new LinkerdMesh(cluster, 'one'), new LinkerdMesh(cluster, 'two', props)]);
  expect(problems).toMatchObject([
    {
      path: 'home/two',
      code: 'object-duplicate',
      parameters: { things: expect.stringMatching(/ and \d+ more$/), other: 'home/one' },
    },
  ]);
});

test('synth reports props from which it cannot build a construct, without a stack trace', () => {
  expect(() => refused((c) => mesh(c), { cluster: { external: null as never } })).not.toThrow();
  expect(() => refused((c) => mesh(c), { props: { argocd: { retry: { duration: 5 as never } } } })).not.toThrow();
});

test('the finding about a component that depends on its parent shows no dependency of the component on itself', () => {
  const [problem] = refused((c) => {
    const { controlPlane } = mesh(c);
    new Viz(controlPlane as never, 'viz', { controlPlane, prometheus: Prometheus.embedded() });
  });
  expect(problem?.message).not.toContain('home/linkerd/viz -> home/linkerd/viz');
});

const LOGIN = 'https://me:word@example.com';
const KEY = `-----BEGIN EC PRIVATE KEY-----\n${'MHcCAQEE'.repeat(8)}\n-----END EC PRIVATE KEY-----\n`;

test.each<[string, Build]>([
  ['home/linkerd', (home) => void mesh(home, { controlPlane: { values: { podAnnotations: { see: LOGIN } } } })],
  ['home/viz', (home) => withViz(home, { grafana: { url: LOGIN } })],
  ['home/viz', (home) => withViz(home, { grafana: { externalUrl: LOGIN } })],
  ['home/viz', (home) => withViz(home, { jaegerUrl: LOGIN })],
  ['home/viz', (home) => withViz(home, { tap: { caBundle: KEY } })],
  ['home/config', (home) => withConfig(home, { podAnnotations: { see: LOGIN } })],
  ['home/config', (home) => withConfig(home, { podAnnotations: { see: KEY } })],
])('synth reports a secret in values first at %s, and then at few objects that contain it', (path, build) => {
  const problems = refused(build);
  expect(problems[0]).toMatchObject({ path });
  expect(problems.length).toBeLessThanOrEqual(MAX_OF_ONE);
});

const selectingNothing = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'a', namespace: 'linkerd' },
  spec: {
    selector: { matchExpressions: [{ key: 'app', operator: 'In', values: [] }] },
    template: { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'a', image: 'a:1' }] } },
  },
};

const controlPlaneOf = (home: Cluster) => mesh(home).controlPlane;
const MONITORING = { namespace: 'monitoring', labels: { team: 'A & B' } };

test.each<[string, string, object, Build]>([
  ['home/meshing', 'name-invalid', { value: '"A_B"' }, (home) => withNamespace(home, 'A_B', { requireProxy: 'deny' })],
  ['home/own/ConfigMap', 'name-invalid', { value: '"A_B"' }, (home) => byHand(home, [], configMapIn('A_B'))],
  ['home/operator', 'name-invalid', { value: '"A_B"' }, (home) => withOperator(home, { namespaces: ['A_B'] })],
  ['home/operator', 'name-invalid', { value: '"A_B"' }, (home) => withOperator(home, { namespace: 'A_B' })],
  ['home/operator', 'operator-image-refused', {}, (home) => withOperator(home, { image: 'node:24' as never })],
  ['home/helm', 'reference-missing', { reference: 'Namespace no-such-namespace' }, (home) => withChart(home, null)],
  ['home/operator', 'operator-setting-refused', {}, (home) => withOperator(home, { logLevel: 'loud' as 'debug' })],
  [
    'home/config',
    'operator-setting-refused',
    {},
    (home) => withConfig(home, {}, { deletionPolicy: 'Keep' as 'Retain' }),
  ],
  [
    'home/own/Pod',
    'field-refused',
    { field: 'spec.containers' },
    (home) => byHand(home, [controlPlaneOf(home)], pod(null)),
  ],
  [
    'home/own/Pod',
    'field-refused',
    { field: 'spec.containers' },
    (home) => byHand(home, [controlPlaneOf(home)], pod([])),
  ],
  [
    'home/own/Deployment',
    'field-refused',
    { field: 'spec.selector.matchExpressions[0].values' },
    (home) => byHand(home, [controlPlaneOf(home)], selectingNothing),
  ],
  ['home/pki', 'name-invalid', {}, (home) => mesh(home, { pki: { controlPlaneNamespace: 'Linkerd' } })],
  [
    'home/pki',
    'validity-refused',
    { certificate: 'webhooks' },
    (home) => mesh(home, { pki: { webhooks: hours(24, 24) } }),
  ],
  [
    'home/linkerd',
    'cron-expression-refused',
    { field: 'heartbeat' },
    (home) => mesh(home, { controlPlane: { heartbeat: Cron.schedule({ minute: '61' }) } }),
  ],
  ['home/own', 'name-invalid', {}, (home) => webhookOf(home, 'My_Hook')],
  ['home/namespace-My Shop', 'name-invalid', {}, (home) => [mesh(home), ensureNamespace(home, 'My Shop')]],
  ['home/linkerd/pod-monitors', 'name-invalid', {}, (home) => mesh(home, { controlPlane: { monitoring: MONITORING } })],
  ['home/cert-manager/chart', 'chart-value-refused', { hint: 'replicaCount' }, (home) => misspelt(home, 'certManager')],
  [
    'home/trust-manager/chart',
    'chart-value-refused',
    { hint: 'replicaCount' },
    (home) => misspelt(home, 'trustManager'),
  ],
  [
    'home/crds/chart',
    'chart-value-refused',
    { hint: 'installGatewayAPI' },
    (home) => new LinkerdCrds(home, 'crds', { values: { installGatewayApi: true } as never }),
  ],
  [
    'home/linkerd/chart',
    'chart-value-refused',
    { path: 'controllerReplicas', value: '"3"', remedy: 'unquote', hint: '3' },
    (home) => mesh(home, { controlPlane: { values: { controllerReplicas: '3' as never } } }),
  ],
])('synth reports a mistake first at %s as %s %j, with few further problems', (path, code, parameters, build) => {
  const problems = refused(build);
  expect(problems[0]).toMatchObject({ path, code, parameters });
  expect(problems.length).toBeLessThanOrEqual(MAX_OF_ONE);
});

/** Adds a misspelt value. */
function misspelt(home: Cluster, chart: 'certManager' | 'trustManager'): void {
  mesh(home, { [chart]: { values: { replicaCout: 2 } } });
}

function webhookOf(home: Cluster, service: string): void {
  mesh(home).pki.webhookCertificate(home, 'own', { service, namespace: 'linkerd' });
}

/** Adds a chart to a namespace that no construct creates, which is the only problem. */
function withChart(home: Cluster, values: unknown): void {
  const repository = 'https://example.com/charts';
  const chart = { name: 'a', version: '1.0.0', repository, kinds: ['apps/Deployment'], foreignNamespaces: [] } as const;
  new HelmRelease(home, 'helm', { chart, namespace: 'no-such-namespace', fromProps: {}, values: values as never });
}

function withNamespace(home: Cluster, name: string, config: NamespaceConfig): void {
  new Meshing(home, 'meshing', { controlPlane: mesh(home).controlPlane }).namespace(name, config);
}

function withOperator(home: Cluster, props: Partial<ReconcilerOperatorProps>): void {
  new ReconcilerOperator(home, 'operator', { controlPlane: mesh(home).controlPlane, ...props });
}

function configMapIn(namespace: string) {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace } };
}

function withViz(home: Cluster, values: VizValues<'edge-26.8.3'>): void {
  const { controlPlane } = mesh(home);
  new Viz(home, 'viz', { controlPlane, prometheus: Prometheus.embedded(), values });
}

function pod(containers: unknown) {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', namespace: 'linkerd' }, spec: { containers } };
}

function withConfig(
  home: Cluster,
  values: ControlPlaneValues<'edge-26.8.3'>,
  props: Partial<LinkerdConfigProps> = {},
): void {
  const operator = new ReconcilerOperator(home, 'operator', { controlPlane: mesh(home).controlPlane });
  new LinkerdConfig(home, 'config', { operator, values, ...props });
}

test.each<[string, Build, readonly string[]]>([
  [
    'two invalid quantities',
    (home) => void mesh(home, cpu({ request: 'x', limit: 'x' })),
    ['values.proxy.resources.cpu.request', 'values.proxy.resources.cpu.limit'],
  ],
  [
    'an invalid cluster domain, which is also the default trust domain',
    (home) => void mesh(home, { pki: { clusterDomain: 'A_B' } }),
    ['clusterDomain'],
  ],
  [
    'two invalid domains',
    (home) => void mesh(home, { pki: { clusterDomain: 'A_B', trustDomain: 'C_D' } }),
    ['clusterDomain', 'trustDomain'],
  ],
])('synth reports each wrong prop: %s', (_, build, fields) => {
  const ofProps = refused(build).slice(0, fields.length);
  expect(ofProps).toMatchObject(fields.map((field) => ({ parameters: { field } })));
});

const cpu = (range: object) => ({ controlPlane: { values: { proxy: { resources: { cpu: range } } } } });
