import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, join, sep } from 'node:path';
import { compareStrings } from '../template/go-string';
import { ARCHIVE_BOUNDS } from './archive';
import { type Chart, readArchive, readChart } from './chart';
import { ChartError } from './chart-error';
import { type ChartFault, helmFault } from './chart-faults';
import { type Ignores, readHelmignore } from './helmignore';
import { PatternError } from './path-match';

/**
 * Reads the chart in a folder, without what its `.helmignore` names, or in an archive.
 *
 * @throws ChartError if there is no chart, or the chart is damaged or unsafe
 */
export function readChartAt(path: string): Chart {
  const name = basename(path);
  try {
    return statSync(path).isDirectory() ? readChart(readFolder(path), name) : readArchive(readArchiveAt(path), name);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof ChartError || code === undefined) throw error;
    throw new ChartError({ chart: name, ...helmFault('unreadable', { path, error: code }) }, { cause: error });
  }
}

/** Reads the bytes of an archive. */
function readArchiveAt(path: string): Uint8Array {
  checkSize(path, path, ARCHIVE_BOUNDS.unpackedBytes);
  return new Uint8Array(readFileSync(path));
}

/** Returns the files of a folder, by their paths in it, in Helm's order. */
function readFolder(folder: string): ReadonlyMap<string, Uint8Array> {
  const walk: Walk = {
    folder,
    real: realpathSync(folder),
    ignores: ignoresOf(folder),
    files: new Map(),
    bytes: 0,
  };
  readInto(walk, '', 0);
  return walk.files;
}

interface Walk {
  readonly folder: string;
  /** Where the folder is, with all links followed. */
  readonly real: string;
  readonly ignores: Ignores;
  readonly files: Map<string, Uint8Array>;
  bytes: number;
}

function ignoresOf(folder: string): Ignores {
  const rules = readdirSync(folder).includes('.helmignore') ? readFileSync(join(folder, '.helmignore'), 'utf8') : '';
  try {
    return readHelmignore(rules);
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    throw new ChartError(
      { chart: basename(folder), file: '.helmignore', ...helmFault('helmignore-invalid', { quote: error.message }) },
      { cause: error },
    );
  }
}

/** Links may lead to folders around them. */
const DEEPEST_FOLDER = 50;

function readInto(walk: Walk, inside: string, depth: number): void {
  if (depth > DEEPEST_FOLDER) refuse(walk, inside, helmFault('folders-too-deep', { most: DEEPEST_FOLDER }));
  for (const name of readdirSync(join(walk.folder, inside)).sort(compareStrings)) {
    const path = inside === '' ? name : `${inside}/${name}`;
    const file = join(walk.folder, path);
    const found = statSync(file, { throwIfNoEntry: false });
    if (found === undefined) refuse(walk, path, helmFault('link-broken', {}));
    if (walk.ignores(path, found.isDirectory())) continue;
    const real = realpathSync(file);
    // Helm follows links everywhere, so that a chart could read the files of who renders it.
    if (!real.startsWith(walk.real + sep)) refuse(walk, path, helmFault('link-outside', {}));
    if (found.isDirectory()) readInto(walk, path, depth + 1);
    else if (found.isFile()) addFile(walk, path, file);
    else refuse(walk, path, helmFault('file-irregular', {}));
  }
}

function addFile(walk: Walk, path: string, file: string): void {
  walk.bytes += checkSize(file, path, ARCHIVE_BOUNDS.fileBytes);
  if (walk.bytes > ARCHIVE_BOUNDS.unpackedBytes || walk.files.size >= ARCHIVE_BOUNDS.entries) {
    refuse(
      walk,
      path,
      helmFault('chart-too-large', { files: ARCHIVE_BOUNDS.entries, bytes: ARCHIVE_BOUNDS.unpackedBytes }),
    );
  }
  walk.files.set(path, new Uint8Array(readFileSync(file)));
}

function checkSize(file: string, path: string, most: number): number {
  const { size } = statSync(file);
  if (size <= most) return size;
  throw new ChartError({ chart: basename(file), file: path, ...helmFault('file-too-large', { most }) });
}

function refuse({ folder }: Walk, path: string, fault: ChartFault): never {
  throw new ChartError({ chart: basename(folder), file: path, ...fault });
}
