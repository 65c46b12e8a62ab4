import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { INDEX_FILE, parseIndex } from '../lib/synth/output/cluster-index';
import type { Output } from '../lib/upgrade/output';

/** Reads the output in a folder: of each folder in it that has an index, the files that this lists. */
export function outputInFolder(folder: string): Output {
  const clusters = readdirSync(folder, { withFileTypes: true })
    .filter(
      (entry) => (entry.isDirectory() || entry.isSymbolicLink()) && existsSync(join(folder, entry.name, INDEX_FILE)),
    )
    .map(({ name }) => name);
  // The clusters of a fleet have nearly all texts in common: one of each is kept.
  const texts = new Map<string, string>();
  return new Map(clusters.map((cluster) => [cluster, filesOf(join(folder, cluster), texts)]));
}

function filesOf(folder: string, texts: Map<string, string>): ReadonlyMap<string, string> {
  const index = readFileSync(join(folder, INDEX_FILE), 'utf8');
  const files = parseIndex(index).files.flatMap((path) => {
    const text = textAt(join(folder, path));
    if (text === undefined) return [];
    const known = texts.get(text) ?? text;
    texts.set(known, known);
    return [[path, known] as const];
  });
  return new Map([[INDEX_FILE, index], ...files]);
}

/** The text of a file; nothing where the index lists one that is gone. */
function textAt(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
