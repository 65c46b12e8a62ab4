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
  /** The parts of files that killed processes left. */
  readonly partial: readonly string[];
}

/** A part of a file that this program writes: `replaceFile` names its process. Other programs leave theirs, too. */
const OWN_PARTIAL = /(?:\.tgz|^charts\.lock\.yaml)\.\d+\.partial$/;

/** Reads a folder of charts; one that is not there has none. */
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

/** @throws Misuse if it is no file, or is one that cannot be read */
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

/** How a folder takes a chart. */
export interface WriteOptions {
  /** Take another archive of the same name and version. */
  readonly force?: true;
}

/** How often a process looks for the end of another one that writes to the folder: each takes milliseconds. */
const ATTEMPTS = 600;
const ATTEMPT_MS = 50;

/**
 * Writes an archive and its entry in the lock; with another archive of the same version there, returns that one's entry
 * and changes nothing. Processes take turns, so that none writes a lock without the entry of another. A process that is
 * killed leaves whole files: at worst an archive that the lock does not name, or names with the digest of the replaced
 * one. `charts verify` reports both, and the same command completes them.
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
    // What is no lock does not go away.
    if (attempt === ATTEMPTS || turn.cause === 'file') throw new FolderBusy(turn);
    await setTimeout(ATTEMPT_MS);
  }
}

/** A folder that another process holds. */
export class FolderBusy extends Error {
  constructor(readonly problem: Problem) {
    super(describeProblem(problem));
  }
}
