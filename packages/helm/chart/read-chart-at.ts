import { readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, join, sep } from 'node:path';
import { LimitError, RenderBudget } from '../go/budget';
import { compareStrings } from '../go/go-string';
import { ARCHIVE_BOUNDS } from './archive';
import { type Chart, readArchive, readChart } from './chart';
import { ChartError } from './chart-error';
import { type ChartFault, helmFault } from './chart-faults';
import { type Ignores, readHelmignore } from './helmignore';
import { PatternError } from './path-match';
import { FileTooLarge, NotAFile, readRegularBytes } from './regular-file';

/**
 * Reads the chart in an archive, or in a folder, without the files that its `.helmignore` names.
 *
 * @throws ChartError if there is no chart, or the chart is damaged or unsafe
 */
export function readChartAt(path: string): Chart {
  const name = basename(path);
  try {
    return statSync(path).isDirectory() ? readChart(readFolder(path), name) : readArchive(readArchiveAt(path), name);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof LimitError) {
      throw new ChartError({ chart: name, ...helmFault('limit', { quote: error.message }) }, { cause: error });
    }
    if (error instanceof ChartError || code === undefined) throw error;
    throw new ChartError({ chart: name, ...helmFault('unreadable', { path, error: code }) }, { cause: error });
  }
}

function readArchiveAt(path: string): Uint8Array {
  return read(path, { chart: basename(path), file: path }, ARCHIVE_BOUNDS.unpackedBytes);
}

/** @throws ChartError if it is a pipe or a device, or has too many bytes */
function read(file: string, named: { readonly chart: string; readonly file: string }, most: number): Uint8Array {
  try {
    return readRegularBytes(file, most);
  } catch (error) {
    if (error instanceof NotAFile) throw new ChartError({ ...named, ...helmFault('file-irregular', {}) });
    if (error instanceof FileTooLarge) throw new ChartError({ ...named, ...helmFault('file-too-large', { most }) });
    throw error;
  }
}

/** Reads the files of a folder in Helm's order. */
function readFolder(folder: string): ReadonlyMap<string, Uint8Array> {
  const chart: ChartFolder = { folder, real: realpathSync(folder) };
  const walk: Walk = { ...chart, ignores: ignoresOf(chart), files: new Map(), bytes: 0 };
  readInto(walk, '', 0);
  return walk.files;
}

interface ChartFolder {
  readonly folder: string;
  /** Its path with all links resolved. */
  readonly real: string;
}

interface Walk extends ChartFolder {
  readonly ignores: Ignores;
  readonly files: Map<string, Uint8Array>;
  bytes: number;
}

const IGNORE_FILE = '.helmignore';

function ignoresOf(chart: ChartFolder): Ignores {
  const isThere = readdirSync(chart.folder).includes(IGNORE_FILE);
  const rules = isThere ? Buffer.from(readInside(chart, IGNORE_FILE)).toString('utf8') : '';
  try {
    return readHelmignore(rules, new RenderBudget());
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    throw new ChartError(
      {
        chart: basename(chart.folder),
        file: IGNORE_FILE,
        ...helmFault('helmignore-invalid', { quote: error.message }),
      },
      { cause: error },
    );
  }
}

/** Links to parent folders would recurse endlessly. */
const DEEPEST_FOLDER = 50;

function readInto(walk: Walk, inside: string, depth: number): void {
  if (depth > DEEPEST_FOLDER) refuse(walk, inside, helmFault('folders-too-deep', { most: DEEPEST_FOLDER }));
  for (const name of readdirSync(join(walk.folder, inside)).sort(compareStrings)) {
    const path = inside === '' ? name : `${inside}/${name}`;
    const found = statSync(join(walk.folder, path), { throwIfNoEntry: false });
    if (found === undefined) refuse(walk, path, helmFault('link-broken', {}));
    if (walk.ignores(path, found.isDirectory())) continue;
    if (!found.isDirectory()) addFile(walk, path);
    else {
      checkInside(walk, path);
      readInto(walk, path, depth + 1);
    }
  }
}

function addFile(walk: Walk, path: string): void {
  const content = readInside(walk, path);
  walk.bytes += content.length;
  if (walk.bytes > ARCHIVE_BOUNDS.unpackedBytes || walk.files.size >= ARCHIVE_BOUNDS.entries) {
    refuse(
      walk,
      path,
      helmFault('chart-too-large', { files: ARCHIVE_BOUNDS.entries, bytes: ARCHIVE_BOUNDS.unpackedBytes }),
    );
  }
  walk.files.set(path, content);
}

function readInside(chart: ChartFolder, path: string): Uint8Array {
  checkInside(chart, path);
  return read(join(chart.folder, path), { chart: basename(chart.folder), file: path }, ARCHIVE_BOUNDS.fileBytes);
}

/** Helm follows all links, so a chart could include files of its user. This reader refuses links out of the chart. */
function checkInside(chart: ChartFolder, path: string): void {
  const real = realpathSync(join(chart.folder, path));
  if (!real.startsWith(chart.real + sep)) refuse(chart, path, helmFault('link-outside', {}));
}

function refuse({ folder }: ChartFolder, path: string, fault: ChartFault): never {
  throw new ChartError({ chart: basename(folder), file: path, ...fault });
}
