import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import type { Files } from './schema-files';

/** All that is in a folder of imports. */
export function readFolder(folder: string): Files {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath, entry.name).slice(join(folder, sep).length));
  return new Map(paths.sort().map((path) => [path.split(sep).join('/'), readFileSync(join(folder, path), 'utf8')]));
}

/** Files that are not as they should be, or should not be there. */
export function differences(before: Files, after: Files): readonly string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path) !== after.get(path)).sort();
}

/** Makes the differing files of the folder as they should be. */
export function writeDifferences(folder: string, paths: readonly string[], files: Files): void {
  for (const path of paths) {
    const target = join(folder, path);
    const content = files.get(path);
    if (content === undefined) {
      rmSync(target);
    } else {
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, content);
    }
  }
}
