import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { COMPARE_OPTIONS, SYNC_OPTIONS, SYNC_WAVE } from '#kubernetes/objects/argocd-annotations';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { ensureNamespace, HelmRelease } from '#lib';
import type { Delivery } from '#lib/gitops/charts/helm-release';
import { buildCluster } from '#lib/gitops/synth/build-cluster';
import { emptyCluster, type OwnCluster } from '../../support/cluster/cluster';
import type { KubeObject } from '../../support/cluster/objects';
import { goTool } from '../../support/go-tools';
import { chartFolder, PINNED, WIDGETS } from './widgets-chart';

const HELM = goTool('helm');

const outdir = mkdtempSync(join(tmpdir(), 'delivery-'));
let cluster: OwnCluster;

beforeAll(async () => {
  cluster = await emptyCluster();
});

afterAll(async () => {
  rmSync(outdir, { recursive: true });
  await cluster?.stop();
});

function filesOf(delivery: Delivery): ReadonlyMap<string, string> {
  return buildCluster({
    name: 'home',
    props: { charts: chartFolder() },
    build: (home) => {
      ensureNamespace(home, 'shop');
      new HelmRelease(home, 'widgets', { chart: PINNED, namespace: 'shop', values: { replicas: 4 }, delivery });
    },
  }).files;
}

/** Returns the objects that Argo CD applies of a folder with a chart: `helm template` with the name of the folder. */
function inflated(): readonly KubernetesObject[] {
  const files = [...filesOf('helm')].filter(([path]) => path.startsWith('shop/'));
  const parts = Object.entries(WIDGETS).map(([path, text]) => [`shop/charts/widgets/${path}`, text] as const);
  for (const [path, text] of [...files, ...parts]) {
    mkdirSync(dirname(join(outdir, path)), { recursive: true });
    writeFileSync(join(outdir, path), text);
  }
  const args = ['template', 'shop', join(outdir, 'shop'), '--namespace', 'shop', '--include-crds'];
  const printed = execFileSync(HELM, [...args, '--kube-version', 'v1.34.0'], { encoding: 'utf8' });
  return parseAllDocuments(printed).flatMap((document) => document.toJS() ?? []);
}

const CLUSTER_SCOPED = ['CustomResourceDefinition', 'Widget', 'Namespace'];

/** Drops annotations about sync. Adds the namespace of the Application if an object has none, as Argo CD does. */
function asApplied({ metadata: { annotations = {}, ...metadata }, ...object }: KubernetesObject): unknown {
  const { [SYNC_WAVE]: _wave, [SYNC_OPTIONS]: _options, [COMPARE_OPTIONS]: _compare, ...others } = annotations;
  const isClusterScoped = CLUSTER_SCOPED.includes(object.kind);
  return {
    ...object,
    metadata: { ...(isClusterScoped ? {} : { namespace: 'shop' }), ...metadata, annotations: others },
  };
}

function byName(objects: readonly unknown[]): readonly unknown[] {
  return objects.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

/** Returns the objects of the release with delivery manifests. */
function rendered(): readonly KubernetesObject[] {
  return [...filesOf('manifests')]
    .filter(([path]) => path.startsWith('shop/') && path.endsWith('.yaml'))
    .map(([, text]) => parse(text) as KubernetesObject);
}

const TRACKING = 'argocd.argoproj.io/tracking-id';

/** Adds the tracking ID of the Application shop, as Argo CD does. */
function tracked({ apiVersion, kind, metadata: own, ...object }: KubernetesObject): KubeObject {
  const metadata = { ...(CLUSTER_SCOPED.includes(kind) ? {} : { namespace: 'shop' }), ...own };
  const group = apiVersion.includes('/') ? apiVersion.split('/')[0] : '';
  const id = `shop:${group}/${kind}:${metadata.namespace ?? ''}/${metadata.name}`;
  const annotations = { ...metadata.annotations, [TRACKING]: id };
  return { apiVersion, kind, ...object, metadata: { ...metadata, annotations } } as KubeObject;
}

/** Syncs as Argo CD does: applies all objects, CRDs first, and prunes tracked objects that are no longer in Git. */
async function sync(objects: readonly KubernetesObject[]): Promise<readonly KubeObject[]> {
  const wanted = objects.map(tracked).sort((a, b) => orderOf(a) - orderOf(b));
  const live = await cluster.applyAll(wanted, { fieldManager: 'argocd-controller', force: true });
  const kinds = new Map(
    [...live, ...known.values()].map(({ apiVersion, kind }) => [`${apiVersion} ${kind}`, { apiVersion, kind }]),
  );
  const ids = new Set(wanted.map(({ metadata }) => metadata.annotations?.[TRACKING]));
  for (const { apiVersion, kind } of kinds.values()) {
    for (const object of await cluster.list(apiVersion, kind)) {
      const { [TRACKING]: id, [SYNC_OPTIONS]: options = '' } = object.metadata.annotations ?? {};
      if (id !== undefined && !ids.has(id) && !options.includes('Prune=false')) await cluster.delete(object);
    }
  }
  for (const object of live) known.set(object.metadata.uid ?? '', object);
  return live;
}

/** All objects that a sync of this test wrote. */
const known = new Map<string, KubeObject>();

function orderOf({ kind }: KubeObject): number {
  return ['Namespace', 'CustomResourceDefinition'].includes(kind) ? 0 : 1;
}

const identities = (objects: readonly KubeObject[]) =>
  objects.map(({ kind, metadata: { name, uid } }) => `${kind} ${name} ${uid}`).sort();

test('a move of a release from helm to manifests and back deletes no objects', async () => {
  const byHelm = inflated().filter(({ metadata }) => metadata.annotations?.['helm.sh/hook'] !== 'test');
  const before = await sync(byHelm);
  const resource: KubeObject = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'of-a-user' } };
  const created = await cluster.create(resource);

  const moved = await sync(rendered());
  expect(identities(moved)).toEqual(identities(before));
  const back = await sync(byHelm);
  expect(identities(back)).toEqual(identities(before));

  for (const object of before) expect(await cluster.find(object)).toBeDefined();
  expect((await cluster.get(created)).metadata.uid).toBe(created.metadata.uid);
});

test('a release has the same objects with delivery helm and manifests', () => {
  const before = inflated().filter(({ metadata }) => metadata.annotations?.['helm.sh/hook'] !== 'test');
  expect(byName(rendered().map(asApplied))).toEqual(byName(before.map(asApplied)));
});
