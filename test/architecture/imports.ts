import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathOf } from '#tools/package-paths';

/** The imports of each file, including imports of types, by paths from the root of the project. */
export type Imports = ReadonlyMap<string, readonly string[]>;

const ROOT = join(__dirname, '..', '..');

/** Matches the specifier after `from`, `import` and `import(`. Biome enforces this notation. */
const IMPORT = /\b(?:from |import |import\()'([^']+)'/g;

/** Reads the imports between the TypeScript files of folders. */
export function readImports(...folders: readonly string[]): Imports {
  const files = folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => join(folder, path)),
  );
  const known = new Set(files);
  return new Map(files.map((file) => [file, importsIn(file).filter((path) => known.has(path))]));
}

/** Returns the specifiers of the imports of a file. */
export function specifiersIn(file: string): readonly string[] {
  return [...readFileSync(join(ROOT, file), 'utf8').matchAll(IMPORT)].map(([, specifier = '']) => specifier);
}

function importsIn(file: string): readonly string[] {
  return specifiersIn(file).flatMap((specifier) => {
    const path = pathOf(file, specifier);
    return path === undefined ? [] : [`${path}.ts`];
  });
}

/**
 * Checks that files import only from their own folder and from folders that precede it in a list. Subfolders count as
 * separate folders.
 *
 * @returns one line for each import that violates the order, and for each folder that the list lacks
 */
export function checkOrder(imports: Imports, rooms: readonly string[]): readonly string[] {
  const missing = [...new Set([...imports.keys()].map(dirname))].filter((room) => !rooms.includes(room));
  return [
    ...missing.map((room) => `${room} has no place in the order`),
    ...[...imports].flatMap(([file, imported]) =>
      imported
        .filter((path) => rooms.indexOf(dirname(path)) > rooms.indexOf(dirname(file)))
        .map((path) => `${file} imports ${path}, which stands above it`),
    ),
  ];
}

/** Returns import cycles. If several cycles share files, at least one of them is returned. */
export function checkCircles(imports: Imports): readonly string[] {
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) {
      circles.push([...path.slice(path.indexOf(file)), file].join(' -> '));
      return;
    }
    if (done.has(file)) return;
    for (const next of imports.get(file) ?? []) visit(next, [...path, file]);
    done.add(file);
  };
  for (const file of imports.keys()) visit(file, []);
  return circles;
}

/** Returns imports in which each file is directly in the nearest folder of a list that contains it, at any depth. */
export function byRoom(imports: Imports, rooms: readonly string[]): Imports {
  const inRoom = (file: string): string => {
    const room = rooms.filter((one) => file.startsWith(`${one}/`)).toSorted((a, b) => b.length - a.length)[0];
    return room === undefined ? file : `${room}/${file.slice(room.length + 1).replaceAll('/', ':')}`;
  };
  return new Map([...imports].map(([file, imported]) => [inRoom(file), imported.map(inRoom)]));
}
