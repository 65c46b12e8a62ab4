import { grouped } from '#base/grouped';

/**
 * Returns the parts of a repository that can be in one cluster together. An object that several files have is in
 * several clusters: the folders, or files, in which these differ are one each, with all that is in none of them.
 */
export function worldsOf<T>(
  items: readonly T[],
  fileOf: (item: T) => string,
  identityOf: (item: T) => string,
): readonly (readonly T[])[] {
  const apart = new Set(
    [...grouped(items.map((item) => [identityOf(item), fileOf(item)])).values()].flatMap(differing),
  );
  if (apart.size === 0) return [items];
  const outermost = [...apart].filter((folder) => ![...apart].some((other) => isInside(folder, other)));
  const shared = items.filter((item) => !outermost.some((folder) => isIn(fileOf(item), folder)));
  return outermost.flatMap((folder) =>
    worldsOf([...shared, ...items.filter((item) => isIn(fileOf(item), folder))], fileOf, identityOf),
  );
}

/** Returns the folders, or files, directly below the folder that all files are in. */
function differing(files: readonly string[]): readonly string[] {
  const paths = [...new Set(files)].map((file) => file.split('/'));
  const [first, ...others] = paths;
  if (first === undefined || others.length === 0) return [];
  const common = first.findIndex((part, index) => others.some((path) => path[index] !== part));
  return [...new Set(paths.map((path) => path.slice(0, common + 1).join('/')))];
}

function isIn(file: string, folder: string): boolean {
  return file === folder || isInside(file, folder);
}

function isInside(path: string, folder: string): boolean {
  return path.startsWith(`${folder}/`);
}
