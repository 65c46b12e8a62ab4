import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathOf } from '#tools/package-paths';

/** Which files of a project each of its files imports, by paths from its root. Imports of types count. */
export type Imports = ReadonlyMap<string, readonly string[]>;

const ROOT = join(__dirname, '..', '..');

/** What stands behind `from`, `import` and `import(`. Biome leaves one way to write them. */
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

/** What the imports of a file name, as it names it. */
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
 * Checks that files import only from their own room and from rooms that stand before it in an order. A room is a folder
 * without those below it.
 *
 * @returns one line for each import that does not, and for each room that the order lacks
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

/** Checks that no file imports itself by way of others. Returns circles: of those that share files, one at least. */
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

/** The same imports, each file directly in its room: the folder of an order that it is in, at whatever depth. */
export function byRoom(imports: Imports, rooms: readonly string[]): Imports {
  const inRoom = (file: string): string => {
    const room = rooms.filter((one) => file.startsWith(`${one}/`)).toSorted((a, b) => b.length - a.length)[0];
    return room === undefined ? file : `${room}/${file.slice(room.length + 1).replaceAll('/', ':')}`;
  };
  return new Map([...imports].map(([file, imported]) => [inRoom(file), imported.map(inRoom)]));
}
