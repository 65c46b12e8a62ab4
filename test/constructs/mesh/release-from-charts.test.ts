import { buildCluster } from '#lib/gitops/synth/build-cluster';
import { LinkerdMesh, type LinkerdMeshProps, Prometheus, Release, type ReleaseFromChartsOptions } from '#lib/index';
import { linkerdCharts } from '../../support/linkerd-charts';

function build(
  options: ReleaseFromChartsOptions = {},
  props: Partial<LinkerdMeshProps> = {},
  charts: Parameters<typeof linkerdCharts>[0] = {},
) {
  const version = Release.fromCharts(linkerdCharts(charts), 'edge-26.9.1', options);
  return buildCluster({
    name: 'home',
    props: {},
    build: (cluster) => {
      new LinkerdMesh(cluster, 'mesh', {
        version,
        crds: { gatewayApi: 'install' },
        cni: {},
        operator: {},
        ...props,
      } as LinkerdMeshProps);
    },
  });
}

const codes = (built: ReturnType<typeof build>) =>
  built.findings.map(({ severity, path, problem }) => `${severity} ${path} ${problem.code}`);

test('synth renders a mesh from charts of an unknown release, CRDs included', () => {
  const built = build({ injectorLike: 'edge-26.8.3' });
  expect(codes(built)).toEqual(['warning home/mesh/pki certificate-alerts-missing']);
  const { files } = built;
  expect(files.get('linkerd/deployment.linkerd-destination.yaml')).toContain(
    'cr.example.com/linkerd/controller:edge-26.9.1',
  );
  expect([...files.keys()]).toContain('linkerd-crds/customresourcedefinition.servers.policy.linkerd.io.yaml');
  expect([...files.keys()]).not.toContain('linkerd-crds/Chart.yaml');
  expect(files.get('linkerd-crds/customresourcedefinition.servers.policy.linkerd.io.yaml')).toContain('Prune=false');
});

test.each([{}, { delivery: 'helm' }])(
  'the index of a mesh with the props %j names the release of charts whose versions differ from it',
  (props) => {
    const names = ['linkerd-crds', 'linkerd-control-plane', 'linkerd2-cni', 'linkerd-viz'];
    const chartVersions = Object.fromEntries(names.map((name) => [name, '1.16.9']));
    const { installed } = build({ chartVersions }, props as never, { chartVersion: '1.16.9' });
    const release = 'edge-26.9.1';
    expect(installed?.releases).toEqual({ crds: release, controlPlane: release, cni: release, viz: release });
    expect(installed?.definitions.map(({ name }) => name)).toContain('servers.policy.linkerd.io');
  },
);

test('synth warns of an unknown injector', () => {
  expect(codes(build())).toContain('warning home/mesh/control-plane release-injector-assumed');
});

test('proxies of a release from charts may have another version than the charts', () => {
  const { files } = build({ proxyVersion: 'edge-26.9.2' });
  expect(files.get('linkerd/configmap.linkerd-config.yaml')).toContain('version: edge-26.9.2');
});

test('synth checks values against the charts of an unknown release', () => {
  const charts = { values: { controlPlane: { added: { size: 1 } } } };
  const values = (given: object) => codes(build({}, { values: given }, charts));
  expect(values({ added: { size: 2 } })).not.toContainEqual(expect.stringMatching(/^error/));
  expect(values({ added: { sise: 2 } })).toContain('error home/mesh/control-plane/chart chart-value-refused');
});

test('synth checks objects against the versions that CRDs of the charts serve', () => {
  const apart = { 'templates/policy.yaml': '' };
  const server = `apiVersion: policy.linkerd.io/v1beta3
kind: Server
metadata: { name: tap-api, namespace: {{ .Release.Namespace }} }
spec: { podSelector: {}, port: 1 }
`;
  const viz = { viz: { 'templates/server.yaml': server } };
  const served = (files: object) =>
    codes(build({}, { viz: { prometheus: Prometheus.embedded() } }, { files })).filter((code) =>
      code.endsWith('version-not-served'),
    );
  expect(served(viz)).toEqual([]);
  expect(served({ ...viz, crds: apart })).toEqual([
    'error home/mesh/viz/chart/policy.linkerd.io:server:linkerd-viz:tap-api version-not-served',
  ]);
});

test('with delivery helm, Argo CD inflates the charts of the unknown release', () => {
  const charts = { values: { controlPlane: { added: { size: 1 } } } };
  const inflated = (values: object) => build({}, { delivery: 'helm', values } as never, charts);
  const { files } = inflated({ added: { size: 2 } });
  expect(files.get('linkerd/Chart.yaml')).toContain('version: 2026.9.1');
  expect(files.get('linkerd/values.yaml')).toContain('size: 2');
  expect(codes(inflated({ added: { sise: 2 } }))).toContain('error home/mesh/control-plane/chart chart-value-refused');
});

test('synth reports a chart that the folder lacks once, where it is used', () => {
  const found = codes(build({}, {}, { without: ['cni'] })).filter((code) => code.startsWith('error'));
  expect(found).toEqual(['error home/mesh/cni/chart chart-not-rendered']);
});
