import { ApiObject, JsonPatch } from 'cdk8s';
import type { Finding } from '#base/findings/finding';
import { LinkerdMesh } from '#lib/constructs/mesh';
import { Platform } from '#lib/gitops/platform/platform';
import { SynthError } from '#lib/gitops/platform/report';
import { buildCluster } from '#lib/gitops/synth/build-cluster';
import type { Cluster } from '#lib/gitops/tree/cluster';
import { prepareTree } from '#lib/gitops/tree/prepare';
import { readFiles, temporaryDirectory } from '../synth/output/tree-on-disk';

const directory = temporaryDirectory();
const NAMES = ['one', 'two', 'three'];

function mesh(cluster: Cluster): void {
  new LinkerdMesh(cluster, 'mesh', { crds: { gatewayApi: 'install' }, highAvailability: false });
}

/** Changes all objects of a cluster as users can: labels, patches and JSON. */
function change(cluster: Cluster): void {
  prepareTree(cluster, 'cdk8s');
  for (const object of cluster.node.findAll()) {
    if (!ApiObject.isApiObject(object)) continue;
    object.metadata.addLabel('changed', 'yes');
    object.addJsonPatch(JsonPatch.add('/metadata/annotations', { changed: 'yes' }));
    Object.assign(object.toJson().metadata, { name: 'changed' });
  }
}

function filesOf(changed: string | undefined): ReadonlyMap<string, Readonly<Record<string, string>>> {
  const outdir = `${directory.path}/${changed ?? 'none'}`;
  const platform = new Platform({ repoUrl: 'https://git.example.com/platform.git', outdir });
  for (const name of NAMES) {
    platform.addCluster(name, { destination: { name } }, (cluster) => {
      mesh(cluster);
      if (name === changed) change(cluster);
    });
  }
  platform.synth();
  return new Map(NAMES.map((name) => [name, readFiles(`${outdir}/${name}`)]));
}

test('a change of the objects of a cluster does not change another cluster', () => {
  const [plain, changed] = [filesOf(undefined), filesOf('two')];
  expect(changed.get('one')).toEqual(plain.get('one'));
  expect(changed.get('three')).toEqual(plain.get('three'));
  const texts = Object.entries(changed.get('two') ?? {}).filter(([path]) => path.includes('configmap.'));
  expect(texts.length).toBeGreaterThan(0);
  for (const [, text] of texts) expect(text).toContain('changed: "yes"');
  expect(Object.keys(changed.get('two') ?? {})).toEqual(Object.keys(plain.get('two') ?? {}));
});

/** Returns all plain data that constructs of a cluster expose, with their paths. */
function exposedBy(cluster: Cluster): ReadonlyMap<object, string> {
  const exposed = new Map<object, string>();
  const visit = (data: unknown, place: string): void => {
    if (typeof data !== 'object' || data === null || exposed.has(data)) return;
    if (!Array.isArray(data) && Object.getPrototypeOf(data) !== Object.prototype) return;
    exposed.set(data, place);
    for (const [key, member] of Object.entries(data)) visit(member, `${place}.${key}`);
  };
  prepareTree(cluster, 'cdk8s');
  for (const construct of cluster.node.findAll()) {
    // Users do not reach the internals of cdk8s and constructs.
    if (ApiObject.isApiObject(construct)) continue;
    for (const [key, member] of Object.entries(construct)) {
      if (key !== 'node') visit(member, `${construct.node.path}.${key}`);
    }
  }
  return exposed;
}

test('data that constructs of two clusters share is frozen', () => {
  const exposed: ReadonlyMap<object, string>[] = [];
  for (const name of ['one', 'two']) {
    const build = (cluster: Cluster) => {
      mesh(cluster);
      exposed.push(exposedBy(cluster));
    };
    buildCluster({ name, props: {}, build });
  }
  const [one = [], two] = exposed;
  const shared = [...one].filter(([data]) => two?.has(data));
  expect(shared.length).toBeGreaterThan(0);
  expect(shared.filter(([data]) => !Object.isFrozen(data)).map(([, place]) => place)).toEqual([]);
});

test('synth reports a problem of equal clusters with all of their paths', () => {
  const outdir = `${directory.path}/wrong`;
  const platform = new Platform({ repoUrl: 'https://git.example.com/platform.git', outdir });
  const wrong = (values: object) => (cluster: Cluster) => {
    new LinkerdMesh(cluster, 'mesh', { crds: { gatewayApi: 'install' }, values } as never);
  };
  for (const name of NAMES) platform.addCluster(name, { destination: { name } }, wrong({ proxy: { uid: 'nobody' } }));
  platform.addCluster('late', { destination: { name: 'late' } }, wrong({ heartbeatSchedule: '61 * * * *' }));
  const chart = '/mesh/control-plane/chart';
  const [first = '', ...others] = NAMES.map((name) => `${name}${chart}`);
  expect(findingsOf(() => platform.synth())).toMatchObject([
    { path: first, alsoAt: others, problem: { what: expect.stringContaining('values.proxy.uid') } },
    { path: 'late/mesh/control-plane', problem: { what: expect.stringContaining('heartbeatSchedule') } },
    { path: `late${chart}/batch:cronjob:linkerd:linkerd-heartbeat`, problem: { code: 'cron-expression-refused' } },
  ]);
});

function findingsOf(synth: () => void): readonly Finding[] {
  try {
    synth();
  } catch (error) {
    if (error instanceof SynthError) return error.findings;
    throw error;
  }
  return [];
}
