import { type ApplicationFolder, folderPath } from './application-folder';

/** The beginning of the paths of a cluster's folders: empty, or with a slash at its end. */
export type PrefixOf = (cluster: string) => string;

/**
 * A Go template expression for the value of a folder, by the parameters of the git directory generator; the empty
 * string for folders that are not among these.
 *
 * Clusters of a fleet mostly have the same folders: what is the same wherever a namespace occurs is looked up by the
 * folder's name, the rest by its path.
 */
export function folderValue(
  folders: readonly ApplicationFolder[],
  read: (folder: ApplicationFolder) => string,
  prefixOf: PrefixOf,
): string {
  const { names, paths } = agreement(folders, read, prefixOf);
  const byName = `get (${dictionary(names)}) .path.basename`;
  return paths.size === 0 ? byName : `get (${dictionary(paths)}) .path.path | default (${byName})`;
}

/** A Go template condition that holds for exactly the chosen ones of these folders; undefined where that is none. */
export function folderCondition(
  folders: readonly ApplicationFolder[],
  isChosen: (folder: ApplicationFolder) => boolean,
  prefixOf: PrefixOf,
): string | undefined {
  const { names, paths } = agreement(folders, isChosen, prefixOf);
  const tests = [...membership('.path.basename', names), ...membership('.path.path', paths)];
  return tests.length > 1 ? `or ${tests.map((test) => `(${test})`).join(' ')}` : tests[0];
}

/** Values by folder name where all folders of that name have the same one, by path where they differ. */
function agreement<T>(
  folders: readonly ApplicationFolder[],
  read: (folder: ApplicationFolder) => T,
  prefixOf: PrefixOf,
): { readonly names: ReadonlyMap<string, T>; readonly paths: ReadonlyMap<string, T> } {
  const names = new Map<string, T>();
  const differing = new Set<string>();
  for (const folder of folders) {
    const value = read(folder);
    const before = names.get(folder.namespace) ?? value;
    if (before !== value) differing.add(folder.namespace);
    names.set(folder.namespace, before);
  }
  const paths = new Map<string, T>();
  for (const folder of folders) {
    if (differing.has(folder.namespace)) paths.set(`${prefixOf(folder.cluster)}${folderPath(folder)}`, read(folder));
  }
  for (const name of differing) names.delete(name);
  return { names: sorted(names), paths: sorted(paths) };
}

function membership(parameter: string, chosen: ReadonlyMap<string, boolean>): readonly string[] {
  const keys = [...chosen].filter(([, value]) => value).map(([key]) => JSON.stringify(key));
  return keys.length > 0 ? [`has ${parameter} (list ${keys.join(' ')})`] : [];
}

function dictionary(values: ReadonlyMap<string, string>): string {
  return ['dict', ...[...values].flat().map((text) => JSON.stringify(text))].join(' ');
}

function sorted<T>(map: ReadonlyMap<string, T>): ReadonlyMap<string, T> {
  return new Map([...map].sort(([a], [b]) => (a < b ? -1 : 1)));
}
