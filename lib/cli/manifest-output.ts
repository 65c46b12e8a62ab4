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
 * Returns manifests of other programs as the output of each cluster that they are for: what commands read to know what
 * should be in it. Files that are no complete manifests are left out.
 *
 * @param files - texts by path
 */
export function outputsOfManifests(
  files: ReadonlyMap<string, string>,
  others: OtherInput = {},
): readonly ReadonlyMap<string, string>[] {
  const { objects, charts } = readFiles(files, others);
  // Kustomize also changes the names by which others refer to what it renames.
  return clustersIn({ objects: objects.filter(({ renamed }) => renamed === undefined), charts }).map(outputOf);
}

/** Returns the folder, or file, that has what differs between clusters, for each of them. */
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
