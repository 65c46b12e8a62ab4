import { posix } from 'node:path';
import { installedBy } from '#linkerd/releases/installed';
import { SyncOrder } from '../gitops/synth/ordering/sync-order';
import { formatIndex, INDEX_FILE, indexOf } from '../gitops/synth/output/cluster-index';
import { folderFiles } from '../gitops/synth/output/folder-files';
import { layOut } from '../gitops/synth/output/layout';
import { clustersIn, type FoundCluster } from './lint/clusters';
import { type OtherInput, readFiles } from './lint/read-files';
import { commonFolder } from './repository/worlds';

/**
 * Converts manifests of other programs to an output for each cluster, with which commands compare the live cluster.
 * Incomplete manifests are left out.
 *
 * @param files - texts by path
 */
export function outputsOfManifests(
  files: ReadonlyMap<string, string>,
  others: OtherInput = {},
): readonly ReadonlyMap<string, string>[] {
  const { objects, charts } = readFiles(files, others);
  // Renamed objects are left out, because Kustomize also changes the references to them.
  return clustersIn({ objects: objects.filter(({ renamed }) => renamed === undefined), charts }).map(outputOf);
}

/** Returns for each cluster the folder, or the file, that no other cluster uses. */
export function foldersOfManifests(files: ReadonlyMap<string, string>, others: OtherInput = {}): readonly string[] {
  const clusters = clustersIn(readFiles(files, others)).map(
    ({ objects }) => new Set(objects.map(({ source, at = source.file }) => at)),
  );
  return clusters.map((own, index) => {
    const elsewhere = clusters.toSpliced(index, 1);
    const paths = [...own].filter((path) => !elsewhere.some((other) => other.has(path)));
    const folders = paths.map((path) => posix.dirname(path));
    const [first = '.'] = folders;
    const isShared = elsewhere.some((other) => [...other].some((path) => posix.dirname(path) === first));
    return paths.length === 1 && isShared ? (paths[0] ?? first) : folders.reduce(commonFolder, first);
  });
}

function outputOf({ tree }: FoundCluster): ReadonlyMap<string, string> {
  const order = new SyncOrder([]);
  const files = layOut(tree.objects, tree.releases).flatMap(
    (folder) => folderFiles(folder, { order, waves: new Map() }).files,
  );
  const charts = tree.releases.map(({ release }) => release.chart);
  const index = formatIndex(
    indexOf(
      files.map(([path]) => path),
      charts,
      installedBy(tree),
    ),
  );
  return new Map([...files, [INDEX_FILE, index]]);
}
