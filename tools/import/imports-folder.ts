import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import type { Files } from './schema-files';

/** Reads all files in a folder of imports. */
export function readFolder(folder: string): Files {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath, entry.name).slice(join(folder, sep).length));
  return new Map(paths.sort().map((path) => [path.split(sep).join('/'), readFileSync(join(folder, path), 'utf8')]));
}

/** Returns the files that differ, that are missing, or that are superfluous. */
export function differences(before: Files, after: Files): readonly string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path) !== after.get(path)).sort();
}

/** Writes or removes the differing files of the folder. */
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
