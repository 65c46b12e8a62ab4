import index from '#imports/index.json';
import { definition, definitionsOf, definitionWords } from '#linkerd/releases/definitions';
import { LINKERD_VERSIONS } from '#linkerd/releases/known-releases';
import { releaseOf } from '#linkerd/releases/release';

function words(release: string, values = {}): readonly string[] {
  return definitionsOf(release, values).map((of) => definitionWords(of).join(' '));
}

test('definitionsOf has an old Gateway API for 2.14, unless values turn it off', () => {
  const gatewayApi = 'httproutes.gateway.networking.k8s.io v1alpha2- v1beta1*';
  expect(words('stable-2.14.10')).toContain(gatewayApi);
  expect(words('stable-2.14.10', { enableHttpRoutes: null })).toContain(gatewayApi);
  expect(words('stable-2.14.10', { enableHttpRoutes: false })).not.toContain(gatewayApi);
});

test.each(['edge-25.10.7', 'edge-25.11.2', 'edge-26.5.1', 'edge-26.8.3', 'edge-27.1.1'])(
  'definitionsOf has the Gateway API for %s if values turn it on',
  (release) => {
    const gatewayApi = (values: object) => words(release, values).filter((of) => of.includes('gateway.networking'));
    expect(gatewayApi({})).toEqual([]);
    expect(gatewayApi({ installGatewayAPI: true })).toEqual([
      'grpcroutes.gateway.networking.k8s.io v1* v1alpha2',
      'httproutes.gateway.networking.k8s.io v1* v1beta1',
      'tcproutes.gateway.networking.k8s.io v1alpha2*',
      'tlsroutes.gateway.networking.k8s.io v1alpha2*',
    ]);
    expect(gatewayApi({ installGatewayAPI: true, enableHttpRoutes: false, enableTlsRoutes: false })).toEqual([
      'tcproutes.gateway.networking.k8s.io v1alpha2*',
    ]);
  },
);

test.each([
  ['edge-24.2.4', ['httproutes.gateway.networking.k8s.io v1alpha2- v1beta1*']],
  [
    'edge-24.8.2',
    ['grpcroutes.gateway.networking.k8s.io v1alpha2*', 'httproutes.gateway.networking.k8s.io v1alpha2 v1beta1*'],
  ],
  [
    'edge-24.11.8',
    [
      'grpcroutes.gateway.networking.k8s.io v1alpha2*',
      'httproutes.gateway.networking.k8s.io v1alpha2 v1beta1*',
      'tcproutes.gateway.networking.k8s.io v1alpha2*',
      'tlsroutes.gateway.networking.k8s.io v1alpha2*',
    ],
  ],
  [
    'edge-25.4.4',
    [
      'grpcroutes.gateway.networking.k8s.io v1* v1alpha2',
      'httproutes.gateway.networking.k8s.io v1* v1beta1',
      'tcproutes.gateway.networking.k8s.io v1alpha2*',
      'tlsroutes.gateway.networking.k8s.io v1alpha2*',
    ],
  ],
])('definitionsOf has the Gateway API of the chart for %s, unless values turn it off', (release, expected) => {
  const gatewayApi = (values: object) => words(release, values).filter((of) => of.includes('gateway.networking'));
  expect(gatewayApi({})).toEqual(expected);
  expect(gatewayApi({ enableHttpRoutes: false }).filter((of) => /^(grpc|http)routes/.test(of))).toEqual([]);
});

test.each([
  ['stable-2.14.10', 'v1alpha1 v1beta1*'],
  ['edge-24.2.4', 'v1alpha1 v1beta1 v1beta2*'],
  ['edge-24.8.2', 'v1alpha1 v1beta1 v1beta2 v1beta3*'],
  ['edge-25.10.7', 'v1alpha1 v1beta1 v1beta2 v1beta3*'],
])('definitionsOf has, for %s, the versions %s of Server; the star marks the stored version', (release, versions) => {
  expect(words(release).find((of) => of.startsWith('servers.'))).toBe(`servers.policy.linkerd.io ${versions}`);
});

test('definitionsOf lists every CRD once, in order, with one stored version', () => {
  for (const name of LINKERD_VERSIONS) {
    const all = definitionsOf(releaseOf(name).version, { installGatewayAPI: true });
    expect(all.map(({ versions }) => versions.filter(({ storage }) => storage).length)).toEqual(all.map(() => 1));
    const names = all.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)].sort());
  }
});

test('the library has schemas only of versions that the newest release serves', () => {
  const known = definitionsOf('edge-26.8.3', {}).flatMap(({ name, versions }) => {
    const group = name.slice(name.indexOf('.') + 1);
    return versions.map((version) => `${group}/${version.name}`);
  });
  const imported = Object.keys(index).filter((key) => /linkerd\.io\/v/.test(key) && !/multicluster|config\./.test(key));
  const groups = new Set(imported.map((key) => key.split('/').slice(0, 2).join('/')));
  expect([...groups].filter((group) => !known.includes(group))).toEqual([]);
});

test('the table of releases agrees with the CRDs of each release', () => {
  for (const name of LINKERD_VERSIONS) {
    const { version, groups } = releaseOf(name);
    const { serverVersion, gatewayApi } = groups.crds.templates;
    const served = (crd: string, values: object) =>
      definitionsOf(version, values as never)
        .filter((of) => of.name.startsWith(crd))
        .flatMap(({ versions }) => versions.filter((of) => of.served).map((of) => of.name));
    expect(`policy.linkerd.io/${served('servers.', {}).at(-1)}`).toBe(serverVersion);
    expect(served('httproutes.gateway.', {}).length > 0).toBe(gatewayApi.installed);
    const routes = served('httproutes.gateway.', { [gatewayApi.installedBy]: true });
    expect(routes).toContain(gatewayApi.routeVersion.replace('gateway.networking.k8s.io/', ''));
  }
});

test('definitionsOf is empty for releases before the first known one', () => {
  expect(definitionsOf('stable-2.13.7', {})).toEqual([]);
  expect(definitionsOf('', {})).toEqual([]);
});

test('definitionWords writes what definition reads', () => {
  expect(definition('a.b', 'v1*', 'v1alpha1-', 'v2*-', 'v3')).toEqual({
    name: 'a.b',
    versions: [
      { name: 'v1', served: true, storage: true },
      { name: 'v1alpha1', served: false, storage: false },
      { name: 'v2', served: false, storage: true },
      { name: 'v3', served: true, storage: false },
    ],
  });
  expect(definitionWords(definition('a.b', 'v1*-', 'v2'))).toEqual(['a.b', 'v1*-', 'v2']);
});
