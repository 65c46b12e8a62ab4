import { outputInFolder } from '#bin/folder-output';
import { LinkerdMesh } from '#lib/constructs/mesh';
import { Platform } from '#lib/gitops/platform/platform';
import { INDEX_FILE } from '#lib/gitops/synth/output/cluster-index';
import { faultsIn, fleetIntent } from '#lib/review/status/intent';
import { temporaryDirectory } from '../../gitops/synth/output/tree-on-disk';
import { DIST } from '../../support/cluster/dist-manifests';

const directory = temporaryDirectory();

test('status reads the intent of the example from its output', () => {
  const { rings, clusters, argocdNamespace, hub } = fleetIntent(outputInFolder(DIST));
  expect({ rings, argocdNamespace, hub }).toEqual({ rings: [], argocdNamespace: 'argocd', hub: 'home' });
  const [home, stable] = clusters;
  expect(home).toMatchObject({
    name: 'home',
    controlPlane: 'linkerd',
    release: 'edge-26.8.3',
    hasBundle: true,
    hasTrustAnchor: true,
    configs: ['linkerd'],
    links: [],
    meshNamespaces: ['cert-manager', 'linkerd', 'linkerd-cni', 'linkerd-crds', 'linkerd-reconciler', 'linkerd-viz'],
  });
  expect(home?.injected).toEqual(expect.arrayContaining(['shop', 'logging']));
  expect(home?.certificates).toContain('linkerd/linkerd-identity-issuer');
  expect(home?.workloads).toEqual(
    expect.arrayContaining([
      'DaemonSet linkerd-cni/linkerd-cni',
      'Deployment linkerd-reconciler/linkerd-reconciler',
      'Deployment linkerd-viz/web',
      'Deployment linkerd/linkerd-destination',
    ]),
  );
  expect(home?.workloads).not.toContain('Deployment shop/web');
  expect(home?.webhooks).toContain('MutatingWebhookConfiguration linkerd-proxy-injector-webhook-config');
  expect(home?.source).toEqual({
    set: 'linkerd-mesh-home',
    project: 'linkerd-mesh',
    repoUrl: 'https://git.example.com/platform.git',
    revision: 'HEAD',
    destination: 'https://kubernetes.default.svc',
    folder: 'dist/home',
  });
  expect(stable).toMatchObject({ name: 'stable', release: 'stable-2.14.10' });
});

test('status reads rings, their sources and inflated charts from an output', () => {
  const platform = new Platform({
    repoUrl: 'https://git.example.com/platform.git',
    outdir: directory.path,
    rings: ['canary', { name: 'rest', revision: 'ring/rest' }],
  });
  for (const [name, ring] of [
    ['us', 'rest'],
    ['eu', 'canary'],
  ] as const) {
    platform.addCluster(name, { ring, destination: { name } }, (cluster) => {
      new LinkerdMesh(cluster, 'mesh', { crds: { gatewayApi: 'existing' }, delivery: 'helm', viz: false });
    });
  }
  platform.synth();
  const { rings, clusters, hub } = fleetIntent(outputInFolder(directory.path));
  expect({ rings, hub }).toEqual({
    rings: [{ name: 'canary' }, { name: 'rest', revision: 'ring/rest' }],
    hub: undefined,
  });
  expect(
    clusters.map(({ name, ring, controlPlane, workloads }) => [name, ring, controlPlane, workloads.length]),
  ).toEqual([
    ['eu', { name: 'canary' }, 'linkerd', 3],
    ['us', { name: 'rest', revision: 'ring/rest' }, 'linkerd', 3],
  ]);
  const common = { project: 'linkerd-mesh', repoUrl: 'https://git.example.com/platform.git' };
  expect(clusters.map(({ source }) => source)).toEqual([
    { ...common, set: 'linkerd-mesh-eu', revision: 'HEAD', destination: 'eu', folder: 'dist/eu' },
    { ...common, set: 'linkerd-mesh-us', revision: 'ring/rest', destination: 'us', folder: 'dist/us' },
  ]);
});

const INDEX = { writer: 'x', charts: [], files: [] };

test.each<[string, string, object, number]>([
  ['whole', JSON.stringify({ ...INDEX, ring: 'canary' }), { rings: [{ name: 'canary' }] }, 0],
  ['without rings', JSON.stringify(INDEX), {}, 0],
  ['of another ring', JSON.stringify({ ...INDEX, ring: 'other' }), { rings: [{ name: 'canary' }] }, 1],
  ['of an unreadable ring', JSON.stringify({ ...INDEX, ring: 'canary' }), { rings: [{ name: 1 }] }, 1],
  ['truncated', '{', { rings: [] }, 1],
  ['truncated, next to an unreadable file', '{', { files: 1 }, 2],
])('status reads an index that is %s', (_is, home, argocd, faults) => {
  const indexOf = (text: string) => new Map([[INDEX_FILE, text]]);
  const output = new Map([
    ['argocd', indexOf(JSON.stringify({ ...INDEX, ...argocd }))],
    ['home', indexOf(home)],
  ]);
  expect(faultsIn(output)).toHaveLength(faults);
});
