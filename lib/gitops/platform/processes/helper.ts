import { createHash } from 'node:crypto';
import { readSync, writeSync } from 'node:fs';
import { isRunning } from '../../synth/output/running-process';
import type { Environment, Work, Workforce } from './workforce';

/** The environment variable that marks a helper process. */
const VARIABLE = 'CDK8S_LINKERD_HELPS';

/** The stream between a helper and its main process. */
const CHANNEL = 3;

/** The task of a helper, given when it starts. */
interface Task {
  /** Id of its main process. */
  readonly pid: number;
  readonly staging: string;
}

/** The outcome of one item. */
export interface Done {
  readonly result?: unknown;
  readonly error?: ThrownError;
  /** What was printed meanwhile: bytes, in base64, which may end within a character. */
  readonly printed: readonly Printed[];
}

/** What was printed at once. */
type Printed = readonly [stream: 'stdout' | 'stderr', base64: string];

/** An error with all its fields. */
interface ThrownError {
  readonly name: string;
  readonly message: string;
  readonly stack?: string;
  /** Its other fields, such as `code` and `syscall` of a file system error. */
  readonly facts: object;
}

/** Returns the environment of a helper. */
export function helperEnvironment(task: Task, env: Environment): Environment {
  return { ...env, [VARIABLE]: JSON.stringify(task) };
}

/** Returns a string that identifies the items and their output: the same program has the same. */
export function fingerprintOf({ items, output }: Pick<Work<unknown>, 'items' | 'output'>): string {
  return createHash('sha256')
    .update(JSON.stringify([items, output]))
    .digest('hex');
}

/**
 * Returns how this process works if it is a helper; undefined in a main process. A helper takes items until none is
 * left, and then exits, so that the rest of the program does not run again.
 */
export function helpForce(): Workforce | undefined {
  const told = process.env[VARIABLE];
  if (told === undefined) return undefined;
  const { pid, staging } = JSON.parse(told) as Task;
  if (process.ppid === pid) return { staging, do: help };
  // A program that a helper starts inherits the variable, but is not a helper. A process whose parent is gone is one.
  if (isRunning(pid)) return undefined;
  process.exit(1);
}

function help<Result>(work: Work<Result>): never {
  const printed = capturePrints();
  tell(fingerprintOf(work));
  for (let item = nextItem(); item >= 0; item = nextItem()) {
    const done = attempt(() => work.run(item));
    tell(JSON.stringify({ ...done, printed: printed.splice(0) } satisfies Done));
  }
  process.exit(0);
}

function attempt(run: () => unknown): Pick<Done, 'result' | 'error'> {
  try {
    return { result: run() };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const { name, message, stack, ...facts } = error;
    return { error: { name, message, ...(stack === undefined ? {} : { stack }), facts } };
  }
}

/** Returns the error of a helper. */
export function errorOf({ name, message, stack, facts }: ThrownError): Error {
  return Object.assign(new Error(message), facts, { name, stack });
}

/** Captures output, so that it is printed in the order of the items. */
function capturePrints(): Printed[] {
  const printed: Printed[] = [];
  for (const name of ['stdout', 'stderr'] as const) {
    process[name].write = (chunk: string | Uint8Array, ...rest: readonly unknown[]) => {
      const [encoding] = rest.filter((each) => typeof each === 'string') as BufferEncoding[];
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk, encoding) : Buffer.from(chunk);
      printed.push([name, bytes.toString('base64')]);
      const callback = rest.find((each) => typeof each === 'function');
      callback?.();
      return true;
    };
  }
  return printed;
}

/** Waits for the number of the next item; -1 if none is left. */
function nextItem(): number {
  const answer = new Uint8Array(4);
  for (let length = 0; length < answer.length; ) {
    const read = readSync(CHANNEL, answer, length, answer.length - length, null);
    // The main process is gone, so no process would commit the results.
    if (read === 0) process.exit(1);
    length += read;
  }
  return new DataView(answer.buffer).getInt32(0, true);
}

/** Sends a message, preceded by its length. */
function tell(text: string): void {
  const bytes = new TextEncoder().encode(text);
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, bytes.length, true);
  for (const part of [length, bytes]) {
    for (let sent = 0; sent < part.length; ) sent += writeSync(CHANNEL, part, sent);
  }
}
