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

/** Does to all objects of a cluster what users can. */
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

test('a change of the objects of one cluster reaches no other cluster', () => {
  const [plain, changed] = [filesOf(undefined), filesOf('two')];
  expect(changed.get('one')).toEqual(plain.get('one'));
  expect(changed.get('three')).toEqual(plain.get('three'));
  const texts = Object.entries(changed.get('two') ?? {}).filter(([path]) => path.includes('configmap.'));
  expect(texts.length).toBeGreaterThan(0);
  for (const [, text] of texts) expect(text).toContain('changed: "yes"');
  expect(Object.keys(changed.get('two') ?? {})).toEqual(Object.keys(plain.get('two') ?? {}));
});

/** Changes all plain data that can be reached from the constructs of a cluster, as far as it can be changed. */
function spoil(cluster: Cluster): void {
  const seen = new Set<unknown>();
  const spoilData = (data: unknown): void => {
    if (typeof data !== 'object' || data === null || seen.has(data)) return;
    seen.add(data);
    if (!Array.isArray(data) && Object.getPrototypeOf(data) !== Object.prototype) return;
    for (const member of Object.values(data)) spoilData(member);
    Reflect.set(data, 'name', 'spoilt');
    Reflect.set(data, 'version', 'spoilt');
    Reflect.set(data, Array.isArray(data) ? data.length : 'spoilt', 'spoilt');
  };
  prepareTree(cluster, 'cdk8s');
  for (const construct of cluster.node.findAll()) {
    // What cdk8s and constructs keep to themselves is not reached by users.
    if (ApiObject.isApiObject(construct)) continue;
    for (const [key, member] of Object.entries(construct)) if (key !== 'node') spoilData(member);
  }
}

test('a change of the data that constructs expose reaches no other cluster', () => {
  const filesOfCluster = (name: string, build: (cluster: Cluster) => void) =>
    buildCluster({ name, props: {}, build }).files;
  const plain = filesOfCluster('one', mesh);
  filesOfCluster('one', (cluster) => {
    mesh(cluster);
    spoil(cluster);
  });
  expect(plain.size).toBeGreaterThan(0);
  expect(filesOfCluster('one', mesh)).toEqual(plain);
});

test('synth finds the problems of equal clusters in each of them', () => {
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
