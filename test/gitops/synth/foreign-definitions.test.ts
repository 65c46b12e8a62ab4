import { ApiObject, type ApiObjectProps, App } from 'cdk8s';
import { LinkerdCrds } from '#lib/constructs/control-plane/linkerd-crds';
import { Cluster, type ClusterProps } from '#lib/gitops/tree/cluster';
import { warningsIn } from '../../support/findings';
import { synthCluster } from '../../support/synth-cluster';

const ROUTE = {
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'HTTPRoute',
  metadata: { name: 'a', namespace: 'b' },
};
const MONITOR = { apiVersion: 'monitoring.coreos.com/v1', kind: 'PodMonitor', metadata: { name: 'a', namespace: 'b' } };
const NETWORK = {
  apiVersion: 'k8s.cni.cncf.io/v1',
  kind: 'NetworkAttachmentDefinition',
  metadata: { name: 'a', namespace: 'b' },
};

const argo = (kind: string) => ({ apiVersion: 'argoproj.io/v1alpha1', kind, metadata: { name: 'a', namespace: 'b' } });

function warnings(objects: readonly ApiObjectProps[], props: ClusterProps = {}, build = (_: Cluster) => {}) {
  const cluster = new Cluster(new App(), 'home', props);
  build(cluster);
  for (const [index, object] of objects.entries()) new ApiObject(cluster, `${index}`, object);
  return warningsIn(synthCluster(cluster).findings).map(({ path, problem: { code, parameters } }) => ({
    path,
    code,
    parameters,
  }));
}

const crd = (name: string) => ({ kind: 'CustomResourceDefinition', name }) as const;

test.each([
  [ROUTE, 'the Gateway API', 'httproutes.gateway.networking.k8s.io'],
  [MONITOR, 'the Prometheus operator', 'podmonitors.monitoring.coreos.com'],
  [NETWORK, 'Multus', 'network-attachment-definitions.k8s.cni.cncf.io'],
  [argo('Rollout'), 'Argo Rollouts', 'rollouts.argoproj.io'],
  [argo('AnalysisTemplate'), 'Argo Rollouts', 'analysistemplates.argoproj.io'],
  [argo('CronWorkflow'), 'Argo Workflows', 'cronworkflows.argoproj.io'],
  [argo('EventBus'), 'Argo Events', 'eventbus.argoproj.io'],
])('synth warns that %j needs an undeclared CRD', (object, software, crdName) => {
  expect(warnings([object, { ...object, metadata: { name: 'b', namespace: 'b' } }])).toMatchObject([
    { path: 'home/0', code: 'crds-undeclared', parameters: { kind: object.kind, software, crd: crdName } },
  ]);
  expect(warnings([object], { external: [crd(crdName)] })).toEqual([]);
});

test('synth expects the CRDs of Argo CD, and warns of those of Argo Rollouts', () => {
  const own = ['Application', 'ApplicationSet', 'AppProject'].map((kind) => argo(kind));
  expect(warnings(own)).toEqual([]);
  const external = { external: [crd('applications.argoproj.io'), crd('sensors.argoproj.io')] };
  expect(warnings([...own, argo('Sensor'), argo('Rollout')], external)).toMatchObject([
    { parameters: { kind: 'Rollout', software: 'Argo Rollouts' } },
  ]);
});

test('synth accepts an object whose CRD is in the output', () => {
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'podmonitors.monitoring.coreos.com' },
  };
  expect(warnings([MONITOR, definition])).toEqual([]);
});

describe('the Gateway API', () => {
  test('is installed with the CRDs of Linkerd on demand', () => {
    expect(warnings([ROUTE], {}, (home) => new LinkerdCrds(home, 'crds', { gatewayApi: 'install' }))).toEqual([]);
  });

  test('is installed by Linkerd 2.14', () => {
    expect(warnings([ROUTE], {}, (home) => new LinkerdCrds(home, 'crds', { version: 'stable-2.14.10' }))).toEqual([]);
  });

  test('is required by Linkerd itself, even without routes', () => {
    const build = (home: Cluster) => new LinkerdCrds(home, 'crds');
    expect(warnings([], {}, build)).toMatchObject([{ path: 'home/crds', code: 'gateway-api-undeclared' }]);
    expect(warnings([], { external: [crd('httproutes.gateway.networking.k8s.io')] }, build)).toEqual([]);
    const existing = (home: Cluster) => new LinkerdCrds(home, 'crds', { gatewayApi: 'existing' });
    expect(warnings([], {}, existing)).toEqual([]);
  });
});
