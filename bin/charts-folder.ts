import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describeProblem, type Problem } from '#base/findings/problem';
import {
  archiveName,
  digestOf,
  formatLock,
  LOCK_FILE,
  type LockedChart,
  parseLock,
  withChart,
} from '#helm/chart/charts-lock';
import { FileTooLarge, NotAFile, readRegularBytes, readRegularFile } from '#helm/chart/regular-file';
import { OutputLock } from '#lib/gitops/synth/output/output-lock';
import { replaceFile } from './replace-file';
import { Misuse } from './terminal';

/** The archives and the lock in a folder of charts. */
export interface ChartsFolder {
  readonly charts: readonly LockedChart[];
  /** The digests of the archives, by the names of their files. */
  readonly digests: ReadonlyMap<string, string>;
  /** Incomplete files of killed processes. */
  readonly partial: readonly string[];
}

/** Incomplete files of this program: `replaceFile` adds a process id to their names. It ignores other partial files. */
const OWN_PARTIAL = /(?:\.tgz|^charts\.lock\.yaml)\.\d+\.partial$/;

/** Reads a folder of charts. A missing folder has no charts. */
export function readChartsFolder(folder: string): ChartsFolder {
  const files = namesIn(folder);
  const read = <T>(file: string, reader: (path: string) => T) => readIn(join(folder, file), reader);
  const lock = files.includes(LOCK_FILE) ? read(LOCK_FILE, readRegularFile) : undefined;
  const archives = files.filter((file) => file.endsWith('.tgz') && !file.startsWith('.'));
  return {
    charts: parseLock(lock),
    digests: new Map(archives.map((file) => [file, digestOf(read(file, readRegularBytes))])),
    partial: files.filter((file) => OWN_PARTIAL.test(file)),
  };
}

/** @throws Misuse if the path is not a file, or cannot be read */
export function readIn<T>(path: string, reader: (path: string) => T): T {
  try {
    return reader(path);
  } catch (error) {
    if (error instanceof NotAFile || error instanceof FileTooLarge) throw new Misuse(error.message);
    throw new Misuse(`${path} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** How a chart is written. */
export interface WriteOptions {
  /** Replace another archive of the same name and version. */
  readonly force?: true;
}

/** Maximum number of attempts to lock the folder: another process holds the lock for milliseconds only. */
const ATTEMPTS = 600;
const ATTEMPT_MS = 50;

/**
 * Writes an archive and its entry in the lock file. If another archive of the version exists, returns the entry of that
 * archive and changes nothing. Processes take turns, so that no process drops the entry of another one. A killed
 * process leaves complete files: at worst, the lock file lacks the archive, or has the digest of the replaced archive.
 * `charts verify` reports both, and the same command repairs them.
 */
export async function writeChart(
  folder: string,
  { chart, archive }: { readonly chart: LockedChart; readonly archive: Uint8Array },
  { force }: WriteOptions,
): Promise<LockedChart | undefined> {
  mkdirSync(folder, { recursive: true });
  const turn = await takeTurn(folder);
  try {
    const { charts, partial } = readChartsFolder(folder);
    for (const file of partial) rmSync(join(folder, file), { force: true });
    // Two charts can share the name of an archive: "a" in version 1-1.0.0 and "a-1" in version 1.0.0.
    const known = charts.find((other) => archiveName(other) === archiveName(chart));
    if (known !== undefined && known.sha256 !== chart.sha256 && force !== true) return known;
    replaceFile(join(folder, archiveName(chart)), archive);
    replaceFile(join(folder, LOCK_FILE), new TextEncoder().encode(formatLock(withChart(charts, chart))));
    return undefined;
  } finally {
    turn.release();
  }
}

async function takeTurn(folder: string): Promise<OutputLock> {
  for (let attempt = 1; ; attempt += 1) {
    const turn = OutputLock.acquire(folder);
    if (turn instanceof OutputLock) return turn;
    // A file in the place of the lock does not disappear.
    if (attempt === ATTEMPTS || turn.cause === 'file') throw new FolderBusy(turn);
    await setTimeout(ATTEMPT_MS);
  }
}

/** A folder that another process has locked. */
export class FolderBusy extends Error {
  constructor(readonly problem: Problem) {
    super(describeProblem(problem));
  }
}
