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
import type { Problem } from '../../../kubernetes/findings/problem';
import { SYNTH_FINDINGS } from '../findings';
import { NotAFile, readRegularFile } from './regular-file';

/** A process that writes, or wrote, an output. */
interface Owner {
  /** A text that no other lock has. */
  readonly id: string;
  readonly pid: number;
  /** The start of the process, in the kernel's own count; empty where that is not known. */
  readonly started: string;
  /** Host and PID namespace: what the number of a process means something in. */
  readonly place: string;
}

/**
 * The time for which a lock of another machine or container, where nobody can ask for its process, holds after its
 * owner last touched it. A synthesis touches it at each cluster, so many times a second.
 */
const FOREIGN_LOCK_MS = 10 * 60_000;

/**
 * Held by the one process that writes an output.
 *
 * The lock is a file beside the output, not in it, since `cdk8s synth` deletes the output first. It arrives whole, by a
 * hard link. A process that dies leaves it behind: who finds that its owner is gone links a successor's file, whose
 * name has the id of that owner, so that of two finders one succeeds. The last in such a chain holds the lock.
 */
export class OutputLock {
  private descriptor: number | undefined;

  private constructor(
    private readonly path: string,
    file: string,
  ) {
    this.descriptor = openSync(file, constants.O_WRONLY | constants.O_APPEND);
  }

  /** Takes the lock of an output whose parent folder exists, or tells who has it. */
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

  /** Tells who is writing an output, if somebody is. Changes nothing. */
  static holder(outdir: string): Problem | undefined {
    const path = lockPath(outdir);
    return unlessRefused(() => {
      const last = chainOf(path).at(-1);
      return last !== undefined && isAlive(last) ? heldBy(last.owner, { outdir, path }) : undefined;
    });
  }

  /** Shows other machines that the owner is still at work. */
  touch(): void {
    if (this.descriptor !== undefined) writeSync(this.descriptor, '\n');
  }

  /** Gives the lock up, if it is held, and removes what is left of earlier owners. */
  release(): void {
    if (this.descriptor === undefined) return;
    closeSync(this.descriptor);
    this.descriptor = undefined;
    // Listed before others can take the lock: what they make is theirs.
    const leftovers = filesBeside(this.path);
    // The first of the chain goes first: from then on nobody takes the rest for a lock.
    rmSync(this.path, { force: true });
    for (const file of leftovers) rmSync(file, { force: true });
  }
}

interface ChainLink {
  readonly file: string;
  readonly owner: Owner;
}

/** Tries once; the file by which the lock is held, who else has it, or undefined where somebody was faster. */
function tryAcquire(path: string): string | Owner | undefined {
  const chain = chainOf(path);
  const last = chain.at(-1);
  if (last !== undefined && isAlive(last)) return last.owner;
  const me = thisProcess();
  const file = last === undefined ? path : successorOf(path, last.owner);
  if (!createWhole(file, JSON.stringify(me))) return undefined;
  // The chain that the file belongs to may have been given up meanwhile.
  if (chainOf(path).at(-1)?.owner.id === me.id) return file;
  rmSync(file, { force: true });
  return undefined;
}

/** The owners of a lock, from the first to the one that has it. */
function chainOf(path: string): readonly ChainLink[] {
  const chain: ChainLink[] = [];
  let file = path;
  // Files that somebody else wrote can make a circle.
  while (chain.every((link) => link.file !== file)) {
    const owner = readOwner(file);
    if (owner === undefined) break;
    chain.push({ file, owner });
    file = successorOf(path, owner);
  }
  return chain;
}

/** The result of an attempt to read a lock, or the problem that no lock is where one should be. */
function unlessRefused<Result>(read: () => Result): Result | Problem {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof NotAFile)) throw error;
    return SYNTH_FINDINGS.outputLockRefused({ lock: error.path });
  }
}

function successorOf(path: string, { id }: Owner): string {
  return `${path}.after-${id}`;
}

/** Creates a file with its contents in one step, unless it exists. */
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

/** The owner that a lock file names; undefined if there is no such file. */
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
    // Not ours, or half written where there are no hard links: it holds until it is old.
  }
  return { id: 'unknown', pid: 0, started: '', place: '' };
}

function isOwner({ id, pid, started, place }: Owner): boolean {
  // The id becomes part of a file's name.
  return /^[0-9a-f-]{36}$/.test(id) && pid > 0 && typeof started === 'string' && typeof place === 'string';
}

function isAlive({ file, owner: { pid, started, place } }: ChainLink): boolean {
  const here = thisProcess();
  if (place !== here.place) return isRecent(file);
  return isRunning(pid) && startOf(pid) === started;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/** Compares with the clock of the file system, which all who use it share. */
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

/** Tells a process from one that had its number before: the kernel's ticks at its start, and which boot they are of. */
function startOf(pid: number): string {
  return attempt(() => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // proc(5): the name, in parentheses, is the second field and may hold anything; the start is field 22.
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
    return `${ticks} ${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}`;
  });
}

/** Returns what is known on Linux only; elsewhere it is empty. */
function attempt(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}

/** Beside the output, by its real path, so that two names of one folder have one lock. */
function lockPath(outdir: string): string {
  const place = realPath(outdir);
  const parent = dirname(place);
  // A mounted volume may be all that the process can write to.
  return isWritable(parent)
    ? join(parent, `.${basename(place)}.cdk8s-linkerd.lock`)
    : join(place, '.cdk8s-linkerd.lock');
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
