import { ApiObject, App, Duration } from 'cdk8s';
import { Construct } from 'constructs';
import type { Finding } from '#base/findings/finding';
import { describeProblem } from '#base/findings/problem';
import { isObject } from '#base/is-object';
import { isOfClass } from '#kubernetes/options/cdk8s-values';
import { goDuration } from '#kubernetes/options/duration-like';
import * as library from '#lib';
import { buildCluster } from '#lib/gitops/synth/build-cluster';
import { Cluster } from '#lib/gitops/tree/cluster';
import * as recipes from '#lib/recipes';
import { type Mesh, MeshOnDemand } from '../support/bad-input-fixture';
import { sampled } from '../support/depth';

const OF_SHOP = { namespace: 'shop' };
const STABLE = { name: 'web-stable', ...OF_SHOP };

const EXPORTS = { ...library, ...recipes };

type PropsOf<Class> = Class extends abstract new (
  scope: Construct,
  id: string,
  props: infer Props,
) => Construct
  ? NonNullable<Props>
  : never;

/** Valid props of each construct, including all optional ones: the tests replace each prop by a wrong value. */
type RightProps = {
  readonly [Name in keyof typeof EXPORTS as PropsOf<(typeof EXPORTS)[Name]> extends never ? never : Name]: (
    mesh: Mesh,
    cluster: Cluster,
  ) => { readonly [Prop in keyof PropsOf<(typeof EXPORTS)[Name]>]-?: unknown };
};

const RIGHT: RightProps = {
  AppProject: () => ({
    name: 'mesh',
    namespace: 'argocd',
    sourceRepos: ['https://git.example.com/platform.git'],
    destinations: [{ namespace: 'linkerd', name: 'home' }],
    clusterResources: [{ group: '', kind: 'Namespace' }],
    namespacedResources: [{ group: 'apps', kind: 'Deployment' }],
    labels: { team: 'mesh' },
    annotations: { 'example.com/a': 'b' },
    syncWindows: [{ kind: 'deny', schedule: '0 8 * * *', duration: Duration.hours(8) }],
    roles: [{ name: 'sync', actions: ['get', 'sync'], groups: ['mesh'] }],
  }),
  ApplicationSet: () => ({
    name: 'mesh',
    namespace: 'argocd',
    project: 'mesh',
    source: { repoUrl: 'https://git.example.com/platform.git' },
    target: { cluster: 'home', destination: { name: 'home' } },
    folders: [{ cluster: 'home', namespace: 'linkerd' }],
    rings: [{ name: 'all', clusters: ['home'] }],
    strategy: { type: 'RollingSync' },
    retry: { limit: 3 },
    labels: { team: 'mesh' },
    annotations: { 'example.com/a': 'b' },
    ignoreDifferences: [{ kind: 'Secret' }],
    applicationsSync: 'create-update',
    preserveResourcesOnDeletion: true,
  }),
  CanaryRoute: ({ controlPlane }) => ({
    controlPlane,
    service: { name: 'web', ...OF_SHOP },
    stable: STABLE,
    canary: { name: 'web-canary', ...OF_SHOP },
    port: 80,
    name: 'web',
  }),
  AnchorExchange: ({ controlPlane }, cluster) => ({
    link: new library.Link(cluster, 'link', {
      multicluster: new library.Multicluster(cluster, 'multicluster', { controlPlane }),
      target: undefined as never,
    }),
    image: library.OperatorImage.bundled(),
  }),
  CertManager: () => ({ version: 'v1.21.1', namespace: 'certs', values: {} }),
  CertManagerPKI: ({ certManager }) => ({
    certManager,
    trustAnchor: { duration: Duration.days(3650), renewBefore: Duration.days(365) },
    identityIssuer: { duration: Duration.hours(48), renewBefore: Duration.hours(25) },
    webhookIssuer: { duration: Duration.days(365), renewBefore: Duration.days(30) },
    webhooks: { duration: Duration.days(7), renewBefore: Duration.days(2) },
    controlPlaneNamespace: 'other',
    clusterDomain: 'cluster.local',
    trustDomain: 'example.org',
    issuanceLifetime: Duration.hours(24),
    clockSkewAllowance: Duration.seconds(20),
    acceptAnchorChange: undefined,
    alerts: { namespace: 'monitoring' },
  }),
  CertRotationCronJob: ({ controlPlane }) => ({
    controlPlane,
    operator: undefined,
    schedule: undefined,
    image: library.OperatorImage.bundled(),
    name: 'rotate',
  }),
  DstOverride: () => ({ service: STABLE, port: 80, name: 'web', clusterDomain: 'cluster.local' }),
  DstOverrideRemoval: () => ({ namespace: 'traefik', name: 'removal' }),
  HelmRelease: () => ({
    chart: {
      name: 'podinfo',
      version: '6.7.0',
      repository: 'https://charts.example.com',
      kinds: [],
      foreignNamespaces: [],
    },
    namespace: 'shop',
    values: {},
    defaults: {},
    fromProps: {},
    writesTo: () => [],
    declare: () => ({}),
    provides: [],
    requires: [],
    external: [],
    charts: undefined,
    delivery: 'helm',
    kubeVersion: 'v1.34.0',
    apiVersions: [],
    checkGiven: () => [],
  }),
  JaegerToTempo: ({ controlPlane }) => ({
    controlPlane,
    tempo: { service: 'tempo', namespace: 'tracing', serviceAccount: 'tempo' },
    viz: undefined,
    delivery: 'manifests',
    values: undefined,
  }),
  Link: ({ controlPlane }, cluster) => ({
    multicluster: new library.Multicluster(cluster, 'multicluster', { controlPlane }),
    target: undefined,
    gateway: { addresses: ['203.0.113.7'] },
    exported: { matchLabels: { a: 'b' } },
    remoteDiscovery: false,
    federated: false,
    headlessServices: true,
    excludedLabels: [],
    excludedAnnotations: [],
    sharedTrustAnchor: true,
    controller: {},
  }),
  LinkerdCni: () => ({
    version: 'edge-26.8.3',
    namespace: 'linkerd-cni',
    openShift: false,
    distribution: 'default',
    kubeconfig: '/etc/cni/net.d/kubeconfig',
    delivery: 'manifests',
    values: {},
  }),
  LinkerdConfig: ({ controlPlane }, cluster) => ({
    operator: new library.ReconcilerOperator(cluster, 'operator', { controlPlane }),
    name: 'linkerd',
    values: {},
    deletionPolicy: 'Retain',
    maxUnavailableWorkloads: 1,
    progressDeadline: Duration.minutes(10),
  }),
  LinkerdControlPlane: ({ pki, trust }) => ({
    pki,
    trust,
    version: 'edge-26.8.3',
    crds: {},
    cni: undefined,
    highAvailability: true,
    delivery: 'manifests',
    monitoring: { namespace: 'monitoring' },
    requireProxy: 'deny',
    heartbeat: false,
    nodeNetworks: ['10.0.0.0/16'],
    values: {},
  }),
  LinkerdCrds: () => ({ version: 'edge-26.8.3', gatewayApi: 'install', values: {} }),
  LinkerdMesh: () => ({
    nodeNetworks: ['10.0.0.0/16'],
    version: 'edge-26.8.3',
    highAvailability: true,
    requireProxy: 'deny',
    certManager: undefined,
    trustManager: undefined,
    pki: {},
    crds: {},
    viz: { grafana: library.Grafana.fromUrl({ url: 'https://grafana.example.com/' }) },
    tempo: { service: 'tempo', namespace: 'tracing', serviceAccount: 'tempo' },
    operator: {},
    rotation: {},
    monitoring: { namespace: 'monitoring' },
    alerts: {},
    dashboards: true,
    delivery: 'manifests',
    cni: {},
    multus: { namespaces: ['shop'] },
    values: {},
  }),
  LonghornMesh: ({ controlPlane }, cluster) => ({
    meshing: new library.Meshing(cluster, 'meshing', { controlPlane }),
    namespace: 'longhorn-system',
    config: {},
    listenOnAllAddresses: true,
    restart: 'auto',
  }),
  MeshAlerts: ({ controlPlane }) => ({
    controlPlane,
    operator: undefined,
    multicluster: undefined,
    namespace: 'monitoring',
    labels: { release: 'prometheus' },
    runbooks: 'https://docs.example.com/alerts.html',
    thresholds: { denialsShare: 0.1, webhookLatency: Duration.seconds(2) },
    severity: { LinkerdProxyOutdated: 'info' },
    metrics: { apiServer: false },
  }),
  MeshDashboards: ({ controlPlane }) => ({
    controlPlane,
    operator: undefined,
    namespace: 'monitoring',
    labels: { grafana_dashboard: '1' },
  }),
  Meshing: ({ controlPlane }) => ({ controlPlane }),
  Multicluster: ({ controlPlane }) => ({
    controlPlane,
    gateway: { addresses: ['203.0.113.7'] },
    remoteAccounts: ['west'],
    createNamespaces: false,
    highAvailability: true,
    crds: 'install',
    scraper: { namespace: 'monitoring', name: 'prometheus' },
    delivery: 'manifests',
    values: {},
  }),
  MultusAttach: ({ controlPlane }) => ({
    controlPlane,
    namespaces: ['shop', { name: 'jobs', proxyUid: 2102 }],
    vizNamespace: 'linkerd-viz',
    operatorNamespace: 'operator',
  }),
  ReconcilerOperator: ({ controlPlane }) => ({
    controlPlane,
    namespace: 'operator',
    namespaces: ['shop'],
    multus: false,
    image: library.OperatorImage.bundled(),
    replicas: 2,
    webhooks: true,
    webhookClients: { cidrs: ['10.0.0.0/8'] },
    installerFieldManagers: ['argocd-controller'],
    proxyUsers: { offset: 1 },
    resources: { cpu: { request: '50m' } },
    logLevel: 'info',
    monitoring: { namespace: 'monitoring' },
  }),
  SuccessRate: () => ({
    namespace: 'shop',
    viz: undefined,
    prometheusUrl: 'http://prometheus:9090',
    rollouts: undefined,
    name: 'success',
    withoutRequests: 'success',
    successRate: 0.99,
    interval: Duration.minutes(1),
    measurements: 3,
    failureLimit: 0,
  }),
  TrustBundle: ({ pki, trustManager }) => ({ pki, trustManager }),
  TrustManager: ({ certManager }) => ({ certManager, version: 'v0.24.0', values: {} }),
  Viz: ({ controlPlane }) => ({
    controlPlane,
    prometheus: library.Prometheus.embedded(),
    grafana: library.Grafana.fromUrl({ url: 'https://grafana.example.com/' }),
    ingress: library.DashboardIngress.nginx({ host: 'viz.example.com' }),
    enforcedHostRegexp: '^viz$',
    highAvailability: true,
    delivery: 'manifests',
    values: {},
  }),
};

type ConstructClass = new (scope: Construct, id: string, props: unknown) => Construct;

const CONSTRUCTS = Object.entries(EXPORTS).filter(
  (entry): entry is [string, ConstructClass & (typeof entry)[1]] =>
    typeof entry[1] === 'function' && entry[1].prototype instanceof Construct,
);

test('the tests have valid props of every construct', () => {
  expect(CONSTRUCTS.map(([name]) => name).sort()).toEqual(Object.keys(RIGHT).sort());
});

function rightProps(name: string, around: Mesh, cluster: Cluster): object {
  return RIGHT[name as keyof RightProps]?.(around, cluster) ?? {};
}

function findingsOf(Class: ConstructClass, propsOf: (right: () => object) => unknown): readonly Finding[] {
  return builtWith(Class, propsOf).findings;
}

function filesOf(Class: ConstructClass, propsOf: (right: () => object) => unknown) {
  const { files, findings } = builtWith(Class, propsOf);
  return { files: [...files], findings: findings.map(({ problem }) => describeProblem(problem)) };
}

function builtWith(Class: ConstructClass, propsOf: (right: () => object) => unknown) {
  const name = Class.name;
  const build = (cluster: Cluster) => {
    const around = new MeshOnDemand(cluster);
    new ApiObject(cluster, 'more', {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'a', namespace: 'b' },
    });
    new Class(
      cluster,
      'tried',
      propsOf(() => rightProps(name, around, cluster)),
    );
  };
  return buildCluster({ name: 'home', props: { destination: { name: 'home' } }, build });
}

/** Replaces each Duration in plain props. */
function inGoNotation(value: unknown): unknown {
  if (isOfClass('Duration', value)) return goDuration(value);
  if (Array.isArray(value)) return value.map(inGoNotation);
  if (!isObject(value) || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, inGoNotation(member)]));
}

/** Returns exceptions that lack a fix for the user. */
function rawErrors(Class: ConstructClass, propsOf: (right: () => object) => unknown): readonly string[] {
  return findingsOf(Class, propsOf)
    .filter(({ problem: { code, what } }) => code === 'build-failed' && !what.includes('Fix:'))
    .map(({ problem }) => describeProblem(problem));
}

function propNames(name: string): readonly string[] {
  const cluster = new Cluster(new App(), 'home', {});
  return Object.keys(rightProps(name, new MeshOnDemand(cluster), cluster));
}

describe.each(CONSTRUCTS)('%s', (name, Class) => {
  test.each([
    ['undefined', undefined],
    ['{}', {}],
    ['null', null],
    ['a string', 'props'],
    ['a list', []],
  ])('throws only errors with a fix for props: %s', (_, props) => expect(rawErrors(Class, () => props)).toEqual([]));

  test.each(propNames(name))('throws only errors with a fix for wrong values of its prop %s', (prop) => {
    for (const value of sampled([null, 5, 'x', [], {}, [null], Symbol('s')])) {
      const raw = rawErrors(Class, (right) => ({ ...right(), [prop]: value }));
      expect({ value: String(typeof value === 'object' ? JSON.stringify(value) : typeof value), raw }).toEqual({
        value: expect.anything(),
        raw: [],
      });
    }
  });

  test('reports an unknown option', () => {
    const found = findingsOf(Class, (right) => ({ ...right(), optionOfAnother: 1 }));
    expect(found.filter(({ problem: { code } }) => code === 'option-unknown')).toEqual([
      expect.objectContaining({ path: 'home/tried', problem: expect.objectContaining({ about: 'optionOfAnother' }) }),
    ]);
  });

  test('accepts durations in Go’s notation in place of a Duration', () => {
    const objects = (read: (value: unknown) => unknown) => filesOf(Class, (right) => read(right()));
    expect(objects(inGoNotation)).toEqual(objects((props) => props));
  });

  test('accepts valid props', () => expect(rawErrors(Class, (right) => right())).toEqual([]));
});
