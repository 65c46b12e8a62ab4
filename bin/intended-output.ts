import { foldersOfManifests, outputsOfManifests } from '#lib/cli/manifest-output';
import type { Output } from '#lib/review/compare/output';
import { outputInFolder } from './folder-output';
import { readFilesAt } from './lint-files';
import { type Reader, readIntended } from './observe-cluster';
import { Misuse } from './terminal';

/**
 * Returns the output in a folder. Manifests of other programs become the output of one cluster.
 *
 * @param cluster - the name of this cluster
 * @throws Misuse if the manifests are for several clusters, or there are none
 */
export function intendedOutput(folder: string, cluster: string): Output {
  const output = outputInFolder(folder);
  return output.size > 0 ? output : new Map([[cluster, outputOfManifests(folder)]]);
}

/**
 * Returns the output of the one cluster for which a folder has manifests.
 *
 * @throws Misuse if the manifests are for several clusters, or there are none
 */
export function outputOfManifests(folder: string): ReadonlyMap<string, string> {
  const { files, charts } = readFilesAt([folder]);
  const [only, ...others] = outputsOfManifests(files, { charts });
  if (only === undefined || only.size <= 1) {
    throw new Misuse(`--from ${folder} contains no output of a Platform, and no manifests`);
  }
  if (others.length > 0) {
    throw new Misuse(
      `--from ${folder} contains manifests for ${others.length + 1} clusters, since several files have the same objects: name the folder of one cluster, ${foldersOfManifests(files, { charts }).join(' or ')}`,
    );
  }
  return only;
}

/** Returns the live objects of a cluster as its output, if its intended state is unknown. */
export async function observedOutput(reader: Reader | string, cluster: string): Promise<Output> {
  const objects = typeof reader === 'string' ? [] : await readIntended(reader);
  const list = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects });
  return new Map([[cluster, outputsOfManifests(new Map([['cluster.json', list]]))[0] ?? new Map()]]);
}
