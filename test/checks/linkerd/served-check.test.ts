import { ApiObject } from 'cdk8s';
import { checkServed } from '#lib/checks/linkerd/served-check';
import { buildCluster } from '#lib/gitops/synth/build-cluster';
import { LinkerdMesh, type LinkerdVersion } from '#lib/index';
import { definitionsOf } from '#linkerd/releases/definitions';
import { errorsIn } from '../../support/findings';

const problemsOf = (release: string, apiVersion: string, kind: string, values = {}) =>
  checkServed(
    { apiVersion, kind, metadata: { name: 'web', namespace: 'shop' } },
    { release, definitions: definitionsOf(release, values) },
  );

const SERVER = 'policy.linkerd.io/v1beta3';

test('checkServed refuses versions that the CRDs of the release do not serve', () => {
  expect(problemsOf('edge-26.8.3', SERVER, 'Server')).toEqual([]);
  expect(problemsOf('stable-2.14.10', 'policy.linkerd.io/v1beta1', 'Server')).toEqual([]);
  expect(problemsOf('stable-2.14.10', SERVER, 'Server')).toMatchObject([
    {
      code: 'version-not-served',
      parameters: {
        object: 'Server shop/web',
        apiVersion: SERVER,
        release: 'stable-2.14.10',
        served: 'v1alpha1, v1beta1',
        proposed: 'policy.linkerd.io/v1beta1',
      },
    },
  ]);
});

test('checkServed refuses kinds that the release does not have', () => {
  const ofEgress = (release: string) => problemsOf(release, 'policy.linkerd.io/v1alpha1', 'EgressNetwork');
  expect(ofEgress('edge-25.10.7')).toEqual([]);
  expect(ofEgress('stable-2.14.10')).toMatchObject([
    { code: 'version-not-served', cause: 'kind', parameters: { kind: 'EgressNetwork', release: 'stable-2.14.10' } },
  ]);
});

test('checkServed checks routes of the Gateway API only if the chart installs their CRDs', () => {
  const route = (release: string, values: object) =>
    problemsOf(release, 'gateway.networking.k8s.io/v1', 'HTTPRoute', values).length;
  expect(route('stable-2.14.10', {})).toBe(1);
  expect(route('stable-2.14.10', { enableHttpRoutes: false })).toBe(0);
  expect(route('edge-26.8.3', { installGatewayAPI: true })).toBe(0);
  expect(route('edge-26.8.3', {})).toBe(0);
});

test('checkServed ignores kinds of other projects', () => {
  expect(problemsOf('stable-2.14.10', 'example.com/v1', 'Server')).toEqual([]);
  expect(problemsOf('stable-2.14.10', 'v1', 'Pod')).toEqual([]);
});

test.each<[LinkerdVersion, readonly string[]]>([
  ['edge-26.8.3', []],
  ['stable-2.14.10', ['home/server']],
])('synth for %s reports versions that are not served', (version, paths) => {
  const { findings } = buildCluster({
    name: 'home',
    props: {},
    build: (cluster) => {
      new LinkerdMesh<LinkerdVersion>(cluster, 'mesh', { version, crds: { gatewayApi: 'existing' } });
      new ApiObject(cluster, 'server', {
        apiVersion: SERVER,
        kind: 'Server',
        metadata: { name: 'web', namespace: 'linkerd-viz' },
        spec: { podSelector: {}, port: 80 },
      });
    },
  });
  expect(errorsIn(findings).map(({ path }) => path)).toEqual(paths);
});
