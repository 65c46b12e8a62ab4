import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import {
  archiveName,
  digestOf,
  formatLock,
  LOCK_FILE,
  type LockedChart,
  parseLock,
  withChart,
} from '../lib/helm/chart/charts-lock';

/** The archives and the lock in a folder of charts. */
export interface ChartsFolder {
  readonly charts: readonly LockedChart[];
  /** The digests of the archives, by the names of their files. */
  readonly digests: ReadonlyMap<string, string>;
}

/** Reads a folder of charts; one that is not there has none. */
export function readChartsFolder(folder: string): ChartsFolder {
  const files = namesIn(folder);
  const lock = files.includes(LOCK_FILE) ? readFileSync(join(folder, LOCK_FILE), 'utf8') : undefined;
  const archives = files.filter((file) => file.endsWith('.tgz') && !file.startsWith('.'));
  return {
    charts: parseLock(lock),
    digests: new Map(archives.map((file) => [file, digestOf(new Uint8Array(readFileSync(join(folder, file))))])),
  };
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/**
 * Writes an archive and its entry in the lock. Each is there as a whole or not at all; an archive without its entry, as a
 * run that is killed between both leaves it, is nothing that anyone reads, and the next run completes it.
 */
export function writeChart(folder: string, chart: LockedChart, archive: Uint8Array): void {
  mkdirSync(folder, { recursive: true });
  replaceFile(join(folder, archiveName(chart)), archive);
  // Read again, because another run may have written it during the download.
  const { charts } = readChartsFolder(folder);
  replaceFile(join(folder, LOCK_FILE), new TextEncoder().encode(formatLock(withChart(charts, chart))));
}

function replaceFile(path: string, content: Uint8Array): void {
  const partial = `${path}.${process.pid}.partial`;
  try {
    const file = openSync(partial, 'wx');
    try {
      writeSync(file, content);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(partial, path);
  } finally {
    rmSync(partial, { force: true });
  }
}
