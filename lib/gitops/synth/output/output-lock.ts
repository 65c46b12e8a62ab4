import { randomUUID } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  copyFileSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Problem } from '#base/findings/problem';
import { NotAFile, readRegularFile } from '#helm/chart/regular-file';
import { SYNTH_FINDINGS } from '../findings';

interface Owner {
  readonly id: string;
  readonly pid: number;
  /** The start of the process, from `startOf`; empty if unknown. */
  readonly started: string;
  /** Host and PID namespace, in which the process id is valid. */
  readonly place: string;
}

/**
 * How long a lock of another machine or container, whose process cannot be checked, is valid after its owner last
 * touched it. A synthesis touches it at each cluster, many times a second.
 */
const FOREIGN_LOCK_MS = 10 * 60_000;

/**
 * The lock of an output, held by the only process that may write it.
 *
 * The lock is a file next to the output, not in it, since `cdk8s synth` deletes the output first. It is created
 * atomically, by a hard link. A process that crashes leaves its lock file behind. The next process then creates a
 * successor, whose name contains the id of the crashed owner: if two processes try, only one succeeds. The last file in
 * such a chain is the lock.
 */
export class OutputLock {
  private descriptor: number | undefined;

  private constructor(
    private readonly path: string,
    file: string,
  ) {
    this.descriptor = openSync(file, constants.O_WRONLY | constants.O_APPEND);
  }

  /** Takes the lock of an output whose parent folder exists. Returns a problem that names the owner of a held lock. */
  static acquire(outdir: string): OutputLock | Problem {
    const path = lockPath(outdir);
    return unlessRefused(() => {
      for (;;) {
        const attempt = tryAcquire(path);
        if (typeof attempt === 'string') return new OutputLock(path, attempt);
        if (attempt !== undefined) return heldBy(attempt, { outdir, path });
      }
    });
  }

  /** Returns a problem that names the process that is writing an output, if any. Changes nothing. */
  static holder(outdir: string): Problem | undefined {
    const path = lockPath(outdir);
    return unlessRefused(() => {
      const last = chainOf(path).at(-1);
      return last !== undefined && isAlive(last) ? heldBy(last.owner, { outdir, path }) : undefined;
    });
  }

  /** Shows other machines that the owner is still running. */
  touch(): void {
    if (this.descriptor !== undefined) writeSync(this.descriptor, '\n');
  }

  /** Releases the lock, if held, and removes files of earlier owners. */
  release(): void {
    if (this.descriptor === undefined) return;
    closeSync(this.descriptor);
    this.descriptor = undefined;
    // Listed while the lock is held: later files belong to other processes.
    const leftovers = filesBeside(this.path);
    // Deletes the first file of the chain first: without it, no process considers the others a lock.
    rmSync(this.path, { force: true });
    for (const file of leftovers) rmSync(file, { force: true });
  }
}

interface ChainLink {
  readonly file: string;
  readonly owner: Owner;
}

/** Returns the file of the taken lock, the owner of a held lock, or undefined if another process was faster. */
function tryAcquire(path: string): string | Owner | undefined {
  const chain = chainOf(path);
  const last = chain.at(-1);
  if (last !== undefined && isAlive(last)) return last.owner;
  const me = thisProcess();
  const file = last === undefined ? path : successorOf(path, last.owner);
  if (!createWhole(file, JSON.stringify(me))) return undefined;
  // The file's chain may have been released meanwhile.
  if (chainOf(path).at(-1)?.owner.id === me.id) return file;
  rmSync(file, { force: true });
  return undefined;
}

/** Returns the lock files, from the first owner to the current one. */
function chainOf(path: string): readonly ChainLink[] {
  const chain: ChainLink[] = [];
  let file = path;
  // Files that this library did not write can form a cycle.
  while (chain.every((link) => link.file !== file)) {
    const owner = readOwner(file);
    if (owner === undefined) break;
    chain.push({ file, owner });
    file = successorOf(path, owner);
  }
  return chain;
}

function unlessRefused<Result>(read: () => Result): Result | Problem {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof NotAFile)) throw error;
    return SYNTH_FINDINGS.outputLockedFile({ lock: error.path });
  }
}

function successorOf(path: string, { id }: Owner): string {
  return `${path}.after-${id}`;
}

/** Creates a file with its text in one step. Returns false if the file exists. */
function createWhole(file: string, text: string): boolean {
  const partial = `${file}.${randomUUID()}`;
  try {
    writeFileSync(partial, text);
    link(partial, file);
    return true;
  } catch (error) {
    if (['EEXIST', 'ENOENT'].includes(codeOf(error))) return false;
    throw error;
  } finally {
    rmSync(partial, { force: true });
  }
}

function link(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    // Some file systems have no hard links.
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(codeOf(error))) throw error;
    copyFileSync(from, to, constants.COPYFILE_EXCL);
  }
}

function readOwner(file: string): Owner | undefined {
  let text: string;
  try {
    text = readRegularFile(file);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const owner = JSON.parse(text) as Owner;
    if (isOwner(owner)) return owner;
  } catch {
    // A file of another program, or half written without hard links: it counts as a lock until it is old.
  }
  return { id: 'unknown', pid: 0, started: '', place: '' };
}

function isOwner({ id, pid, started, place }: Owner): boolean {
  // The id becomes part of a file name.
  return /^[0-9a-f-]{36}$/.test(id) && pid > 0 && typeof started === 'string' && typeof place === 'string';
}

function isAlive({ file, owner: { pid, started, place } }: ChainLink): boolean {
  const own = thisProcess();
  if (place !== own.place) return isRecent(file);
  return isRunning(pid) && startOf(pid) === started;
}

/** Whether a lock file is recent, by the clock of the file system, which all its users share. */
function isRecent(file: string): boolean {
  const probe = `${file}.${randomUUID()}`;
  try {
    writeFileSync(probe, '');
    return statSync(probe).mtimeMs - statSync(file).mtimeMs < FOREIGN_LOCK_MS;
  } catch {
    return true;
  } finally {
    rmSync(probe, { force: true });
  }
}

function thisProcess(): Owner {
  const place = `${hostname()} ${attempt(() => readlinkSync('/proc/self/ns/pid'))}`;
  return { id: randomUUID(), pid: process.pid, started: startOf(process.pid), place };
}

/** Returns a fact that is known only on Linux; empty elsewhere. */
function attempt(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}

/** Suffix of the names of lock files. */
export const LOCK = '.cdk8s-linkerd.lock';

/**
 * Returns the path of the lock file: next to the output, by its real path, so that two names of one folder share a
 * lock.
 */
function lockPath(outdir: string): string {
  const place = realPath(outdir);
  const parent = dirname(place);
  // A mounted volume may be the only place that the process can write to.
  return isWritable(parent) ? join(parent, `.${basename(place)}${LOCK}`) : join(place, LOCK);
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return dirname(path) === path ? path : join(realPath(dirname(path)), basename(path));
  }
}

function filesBeside(path: string): readonly string[] {
  const prefix = `${basename(path)}.`;
  return readdirSync(dirname(path))
    .filter((name) => name.startsWith(prefix))
    .map((name) => join(dirname(path), name));
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}

function heldBy({ pid, place }: Owner, { outdir, path }: { readonly outdir: string; readonly path: string }): Problem {
  const [host = ''] = place.split(' ');
  const process = `${pid}${host === '' ? '' : ` on ${host}`}`;
  return SYNTH_FINDINGS.outputLocked({ outdir, process, lock: path });
}

/** Whether a process is running. A process that has ended keeps its number until its parent reads its exit code. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false;
  }
  const [state = ''] = fieldsOf(pid);
  return state !== 'Z' && state !== 'X';
}

/**
 * Distinguishes a process from an earlier one with the same number, by the clock ticks at its start and the id of the
 * boot. Empty except on Linux.
 */
export function startOf(pid: number): string {
  const ticks = fieldsOf(pid)[19];
  const boot = textOf('/proc/sys/kernel/random/boot_id').trim();
  return ticks === undefined || boot === '' ? '' : `${ticks} ${boot}`;
}

/**
 * Returns the fields of `/proc/PID/stat` from the state on (see proc(5)). Earlier fields are the number of the process
 * and its name in parentheses, which may contain any character.
 */
function fieldsOf(pid: number): readonly string[] {
  const stat = textOf(`/proc/${pid}/stat`);
  return stat === '' ? [] : stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
