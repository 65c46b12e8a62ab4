import { App, Chart } from 'cdk8s';
import { LinkerdMesh } from '#lib/constructs/mesh';
import { Meshing } from '#lib/constructs/meshing/meshing';
import { Warnings } from '#lib/gitops/tree/add-rule';
import { Cluster } from '#lib/gitops/tree/cluster';
import { synthCluster } from '../../support/synth-cluster';
import { deployment, service } from './fixture';

/** Adds a workload that is excluded from the mesh to a meshed namespace. */
function excluded(scope: Cluster | Chart, controlPlane: ConstructorParameters<typeof Meshing>[2]['controlPlane']) {
  const meshing = new Meshing(scope, 'meshing', { controlPlane });
  meshing.namespace('shop');
  const api = deployment(scope, 'api', { namespace: 'shop' });
  meshing.exclude(api);
  return { api, meshing };
}

function inCluster(build: (cluster: Cluster, mesh: LinkerdMesh) => void) {
  const cluster = new Cluster(new App(), 'home', {});
  build(cluster, new LinkerdMesh(cluster, 'mesh', { crds: { gatewayApi: 'install' }, viz: false }));
  return synthCluster(cluster)
    .findings.filter(({ problem }) => problem.code === 'policy-not-enforced')
    .map(({ severity, path, problem: { parameters } }) => ({ severity, path, parameters }));
}

const EXCLUDED = { object: 'Deployment shop/api', annotation: 'linkerd.io/inject', value: 'disabled' };
const NOT_KEPT = {
  severity: 'error',
  path: 'home/shopapi',
  parameters: { policy: 'Server shop/api-http', ...EXCLUDED },
};

test.each([
  ['allow', (meshing: Meshing, api: Parameters<Meshing['allow']>[0]) => meshing.allow(api, { from: [] })],
  [
    'limitRequests',
    (meshing: Meshing, api: Parameters<Meshing['allow']>[0]) => meshing.limitRequests(api, { total: 9 }),
  ],
] as const)('synth refuses %s of a workload that is excluded from the mesh', (_, ask) => {
  const found = inCluster((cluster, { controlPlane }) => {
    const { api, meshing } = excluded(cluster, controlPlane);
    ask(meshing, api);
  });
  expect(found).toMatchObject([NOT_KEPT]);
});

test('synth refuses policies of the namespace and the Service of an excluded workload', () => {
  const found = inCluster((cluster, { controlPlane }) => {
    const { meshing } = excluded(cluster, controlPlane);
    const chart = new Chart(cluster, 'chart', { namespace: 'shop' });
    meshing.allow(service(chart, 'api'), { from: [] });
    meshing.defaultDeny('shop');
    meshing.egress('shop', { mode: 'deny' });
  });
  const path = 'home/meshing/egress-shop-egress/network';
  expect(found).toMatchObject([
    { severity: 'error', path, parameters: { policy: 'EgressNetwork shop/egress', ...EXCLUDED } },
    NOT_KEPT,
  ]);
});

test.each(['manifests', 'helm'] as const)(
  'synth refuses a policy of a port that values skip, with delivery %s',
  (delivery) => {
    const cluster = new Cluster(new App(), 'home', {});
    const { controlPlane } = new LinkerdMesh(cluster, 'mesh', {
      crds: { gatewayApi: 'install' },
      viz: false,
      delivery,
      values: { proxyInit: { ignoreInboundPorts: '8000-8100' } },
    });
    const meshing = new Meshing(cluster, 'meshing', { controlPlane });
    meshing.namespace('shop');
    meshing.allow(deployment(cluster, 'api', { namespace: 'shop' }), { from: [] });
    expect(synthCluster(cluster).findings.map(({ problem }) => problem)).toContainEqual(
      expect.objectContaining({
        code: 'policy-not-enforced',
        cause: 'port-skipped',
        parameters: expect.objectContaining({
          policy: 'Server shop/api-http',
          object: 'Deployment shop/api',
          setting: 'proxyInit.ignoreInboundPorts in the values of LinkerdControlPlane',
        }),
      }),
    );
  },
);

test('an unenforced policy fails the synthesis of a plain App, unless it is acknowledged', () => {
  const synthesize = (isAcknowledged: boolean) => {
    const app = new App();
    const chart = new Chart(app, 'shop', { namespace: 'shop' });
    const { api, meshing } = excluded(chart, { release: 'edge-26.8.3' });
    meshing.allow(api, { from: [] });
    if (isAcknowledged) Warnings.of(api).acknowledge('policy-not-enforced', 'it moves into the mesh next week');
    return app.synthYaml();
  };
  expect(() => synthesize(false)).toThrow('[policy-not-enforced]');
  expect(synthesize(true)).toContain('kind: Server');
});

test.each<[boolean, object | undefined]>([
  [true, undefined],
  [true, {}],
  [true, { mode: undefined }],
  [false, { mode: 'audit' }],
  [false, { mode: 'deny' }],
])('whether synth warns (%j) that a default deny with the options %j only audits', (warns, options) => {
  const cluster = new Cluster(new App(), 'home', {});
  const { controlPlane } = new LinkerdMesh(cluster, 'mesh', { crds: { gatewayApi: 'install' }, viz: false });
  new Meshing(cluster, 'meshing', { controlPlane }).defaultDeny('shop', options);
  const found = synthCluster(cluster).findings.filter(({ problem }) => problem.code === 'default-deny-audits');
  expect(found.map(({ path, severity }) => [path, severity])).toEqual(warns ? [['home/meshing', 'warning']] : []);
});
