import { existsSync, readdirSync, readlinkSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { EqualFiles, NotAFile } from '#helm/chart/regular-file';
import { INDEX_FILE, parseIndex } from '#lib/gitops/synth/output/cluster-index';
import type { Output } from '#lib/review/compare/output';
import { Misuse } from './terminal';

/** Returns the folder of `--from`. @throws Misuse if it is not a folder */
export function folderFrom(from: string): string {
  const folder = resolve(from);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false) return folder;
  throw new Misuse(`--from ${from} is not a folder; synthesize first`);
}

/** Reads the output in a folder: for each folder with an index, the files that the index lists. */
export function outputInFolder(folder: string): Output {
  const all = new EqualFiles();
  return new Map(clustersInFolder(folder).map((cluster) => [cluster, filesOf(join(folder, cluster), all)]));
}

/** Returns the names of the folders with an index. */
export function clustersInFolder(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(
      (entry) => (entry.isDirectory() || entry.isSymbolicLink()) && existsSync(join(folder, entry.name, INDEX_FILE)),
    )
    .map(({ name }) => name);
}

/** Reads all files of clusters, from any source. Links are not followed: their text is their target, as in git. */
export function allFilesInFolder(folder: string, clusters: readonly string[]): Output {
  const all = new EqualFiles();
  const present = clusters.filter((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.isDirectory());
  return new Map(
    present.map((cluster) => {
      const files = new Map<string, string>();
      readAll(join(folder, cluster), '', all, files);
      return [cluster, files];
    }),
  );
}

function readAll(folder: string, prefix: string, all: EqualFiles, files: Map<string, string>): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const [path, place] = [`${prefix}${entry.name}`, join(folder, entry.name)];
    if (entry.isDirectory()) readAll(place, `${path}/`, all, files);
    else if (entry.isSymbolicLink()) files.set(path, readlinkSync(place));
    else if (entry.isFile()) files.set(path, textAt(place, path, all) ?? '');
  }
}

function filesOf(folder: string, all: EqualFiles): ReadonlyMap<string, string> {
  const index = textAt(join(folder, INDEX_FILE), INDEX_FILE, all) ?? '';
  const files = parseIndex(index).files.flatMap((path) => {
    // join() is slow and not needed: paths in an index have no empty, `.` or `..` parts.
    const text = textAt(`${folder}/${path}`, path, all);
    return text === undefined ? [] : [[path, text] as const];
  });
  return new Map([[INDEX_FILE, index], ...files]);
}

/** Errors of missing paths, including broken links, and paths below a path that is now a file. */
const GONE: readonly string[] = ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG'];

/** Returns undefined if the file is missing. */
function textAt(path: string, name: string, all: EqualFiles): string | undefined {
  try {
    return all.read(path, name);
  } catch (error) {
    const code = codeOf(error);
    if (code !== undefined && GONE.includes(code)) return undefined;
    throw new Misuse(error instanceof NotAFile ? error.message : `${path} cannot be read: ${code ?? error}`);
  }
}

function codeOf(error: unknown): string | undefined {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : undefined;
}
