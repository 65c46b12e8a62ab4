import { ApiObject, JsonPatch } from 'cdk8s';
import { LinkerdMesh } from '../../lib/mesh';
import { Platform } from '../../lib/platform/platform';
import type { Cluster } from '../../lib/tree/cluster';
import { readFiles, temporaryDirectory } from '../synth/output/tree-on-disk';

const directory = temporaryDirectory();
const NAMES = ['one', 'two', 'three'];

function mesh(cluster: Cluster): void {
  new LinkerdMesh(cluster, 'mesh', { crds: { gatewayApi: 'install' }, highAvailability: false });
}

/** Does to all objects of a cluster what users can. */
function change(cluster: Cluster): void {
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

test('what is done to the objects of one cluster reaches no other', () => {
  const [plain, changed] = [filesOf(undefined), filesOf('two')];
  expect(changed.get('one')).toEqual(plain.get('one'));
  expect(changed.get('three')).toEqual(plain.get('three'));
  const texts = Object.entries(changed.get('two') ?? {}).filter(([path]) => path.includes('configmap.'));
  expect(texts.length).toBeGreaterThan(0);
  for (const [, text] of texts) expect(text).toContain('changed: "yes"');
  expect(Object.keys(changed.get('two') ?? {})).toEqual(Object.keys(plain.get('two') ?? {}));
});
