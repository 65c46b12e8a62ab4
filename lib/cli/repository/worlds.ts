import { posix } from 'node:path';
import { grouped } from '#base/grouped';

/** An item that a cluster can contain only once. */
export interface Unique {
  readonly file: string;
  readonly object: string;
  /** The objects that controllers create for it. */
  readonly makes: readonly string[];
}

/**
 * Returns the items of each cluster in a repository. An object in several files is in several clusters: each folder, or
 * file, that distinguishes them is one cluster, together with all items outside of these folders. The same holds for
 * folders for whose different objects controllers create the same object; in one folder, this is a mistake.
 */
export function worldsOf<T extends Unique>(items: readonly T[]): readonly (readonly T[])[] {
  const objects = grouped(items.map(({ object, file }) => [object, file]));
  const made = grouped(items.flatMap(({ makes, file }) => makes.map((one) => [one, file] as const)));
  const apart = new Set([
    ...[...objects.values()].flatMap(differing),
    ...[...made.values()].flatMap(differing).filter((path) => items.every(({ file }) => file !== path)),
  ]);
  if (apart.size === 0) return [items];
  const outermost = [...apart].filter((folder) => ![...apart].some((other) => other !== folder && isIn(folder, other)));
  const homes = items.map((item) => outermost.find((folder) => isIn(item.file, folder)));
  return outermost.flatMap((folder) =>
    worldsOf(items.filter((_, index) => homes[index] === undefined || homes[index] === folder)),
  );
}

/** Returns the folders, or files, directly below the common folder of all files. */
function differing(files: readonly string[]): readonly string[] {
  const paths = [...new Set(files)].map((file) => file.split('/'));
  const [first, ...others] = paths;
  if (first === undefined || others.length === 0) return [];
  const common = first.findIndex((part, index) => others.some((path) => path[index] !== part));
  return [...new Set(paths.map((path) => path.slice(0, common + 1).join('/')))];
}

/** Whether a path is a folder, or below it. */
export function isIn(path: string, folder: string): boolean {
  return folder === '.' || path === folder || path.startsWith(`${folder}/`);
}

/** Returns the innermost folder, or path, that contains two paths. */
export function commonFolder(one: string, other: string): string {
  return isIn(other, one) || one === '/' ? one : commonFolder(posix.dirname(one), other);
}
