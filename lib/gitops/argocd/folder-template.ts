import { type ApplicationFolder, folderPath } from './application-folder';

/** Returns the prefix of a cluster's folders: empty, or ending in a slash. */
export type PrefixOf = (cluster: string) => string;

/**
 * Returns a Go template expression for the value of a folder, over the parameters of the git directory generator; it
 * yields an empty string for other folders.
 *
 * Clusters of a fleet mostly have the same folders: a value that all folders of a namespace share is looked up by the
 * folder's name, any other value by its path.
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

/** Returns a Go template condition that is true for exactly the chosen folders; undefined if no folder is chosen. */
export function folderCondition(
  folders: readonly ApplicationFolder[],
  isChosen: (folder: ApplicationFolder) => boolean,
  prefixOf: PrefixOf,
): string | undefined {
  const { names, paths } = agreement(folders, isChosen, prefixOf);
  const tests = [...membership('.path.basename', names), ...membership('.path.path', paths)];
  return tests.length > 1 ? `or ${tests.map((test) => `(${test})`).join(' ')}` : tests[0];
}

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
