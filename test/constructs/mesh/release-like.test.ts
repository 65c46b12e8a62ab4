import { buildCluster } from '../../../lib/gitops/synth/build-cluster';
import { LinkerdMesh, Release, type ReleaseLikeOptions } from '../../../lib/index';

function build(options?: ReleaseLikeOptions) {
  const version = Release.like('edge-26.8.3', 'edge-26.9.1', options);
  return buildCluster({
    name: 'home',
    props: {},
    build: (cluster) => {
      new LinkerdMesh(cluster, 'mesh', { version, crds: { gatewayApi: 'existing' }, cni: {}, operator: {} });
    },
  });
}

const codes = (built: ReturnType<typeof build>) =>
  built.findings.map(({ severity, path, problem }) => `${severity} ${path} ${problem.code}`);

test('a mesh of a release that nobody knows is that of a known one, with its own images and charts', () => {
  const built = build();
  expect(codes(built)).toEqual([
    'warning home/mesh/pki certificate-alerts-missing',
    'warning home/mesh/control-plane release-unverified',
  ]);
  const { files } = built;
  const text = [...files.values()].join('\n');
  expect(text).toContain('cr.l5d.io/linkerd/proxy:edge-26.9.1');
  expect(text).toContain('version: 2026.9.1');
  expect(text).not.toMatch(/: \S*:edge-26\.8\.3|2026\.8\.3/);
});

test('proxies may have a version of their own', () => {
  const { files } = build({ proxyVersion: 'edge-26.9.2' });
  const text = [...files.values()].join('\n');
  expect(text).toContain('cr.l5d.io/linkerd/proxy:edge-26.9.2');
  expect(text).toContain('cr.l5d.io/linkerd/controller:edge-26.9.1');
});
