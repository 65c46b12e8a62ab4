import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { constants } from 'node:os';

/** Maximum bytes of one answer: a page of 250 large objects has a tenth of them. */
export const MAX_BYTES = 128 * 2 ** 20;

/** Maximum bytes of the error messages that are kept. */
export const MAX_ERROR_BYTES = 64 * 2 ** 10;

interface RunKubectlOptions {
  readonly program: string;
  /** The time after which kubectl is ended, in milliseconds; unlimited if absent. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
  /** Environment variables in addition to those of this process. */
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

/** The result of a kubectl process that ended. */
export interface Ended {
  /** The exit code; null if a signal ended kubectl. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Why kubectl was ended early: its time was over, or it printed too much. */
  readonly cut?: 'late' | 'large';
}

/**
 * Starts kubectl without a shell and in a new session, so that a login plugin has no terminal where it can ask for a
 * password.
 */
export function startKubectl(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): ChildProcessWithoutNullStreams {
  return RUNNING.start(() =>
    spawn(program, args, {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
      detached: true,
      windowsHide: true,
    }),
  );
}

/**
 * Runs kubectl until it ends.
 *
 * @throws the error of the operating system if kubectl cannot be started
 */
export function runKubectl(
  args: readonly string[],
  { program, timeoutMs, signal, env, input }: RunKubectlOptions,
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      resolve({ code: null, stdout: '', stderr: '', cut: 'late' });
      return;
    }
    const child = startKubectl(program, args, env);
    const output = new Buffered(MAX_BYTES);
    const errors = new Buffered(MAX_ERROR_BYTES);
    let cut: Ended['cut'];
    const end = (why: 'late' | 'large') => {
      cut ??= why;
      endGroup(child);
    };
    const timer = timeoutMs === undefined ? undefined : setTimeout(() => end('late'), timeoutMs);
    const abort = () => end('late');
    signal?.addEventListener('abort', abort, { once: true });
    // kubectl may end before it has read all input.
    child.stdin.on('error', () => undefined).end(input);
    child.stdout.on('data', (chunk: Buffer) => {
      if (!output.add(chunk)) end('large');
    });
    child.stderr.on('data', (chunk: Buffer) => errors.add(chunk));
    const settle = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      RUNNING.delete(child);
    };
    child.on('error', (error) => {
      settle();
      reject(error);
    });
    child.on('exit', () => {
      if (cut === undefined) return;
      // A plugin that left the group would keep these streams open. Everything printed before is read first.
      setImmediate(() => {
        child.stdout.destroy();
        child.stderr.destroy();
      });
    });
    child.on('close', (code) => {
      settle();
      resolve({ code, stdout: output.text(), stderr: errors.text(), ...(cut !== undefined && { cut }) });
    });
  });
}

/**
 * The running kubectl processes, each with a function that ends it. A signal to the group of this process, such as that
 * of Ctrl-C, does not reach their groups. Therefore this process ends on the signal, and ends them. A program with
 * another listener for the signal ends them through their AbortSignals.
 */
class Running {
  private readonly ends = new Map<ChildProcess, () => void>();
  private readonly end = () => {
    for (const end of this.ends.values()) end();
  };
  private readonly interrupt = (signal: NodeJS.Signals) => {
    if (process.listenerCount(signal) === 1) process.exit(128 + constants.signals[signal]);
  };

  /** Starts kubectl. Adds the listeners first, because a signal may arrive before the start returns. */
  start<T extends ChildProcess>(start: () => T): T {
    if (this.ends.size === 0) {
      process.on('exit', this.end);
      for (const signal of INTERRUPTIONS) process.on(signal, this.interrupt);
    }
    const child = start();
    this.endBy(child, () => endGroup(child));
    return child;
  }

  /** Sets the function that ends a kubectl, in place of ending its group. */
  endBy(child: ChildProcess, end: () => void): void {
    this.ends.set(child, end);
  }

  delete(child: ChildProcess): void {
    if (!this.ends.delete(child) || this.ends.size > 0) return;
    process.off('exit', this.end);
    for (const signal of INTERRUPTIONS) process.off(signal, this.interrupt);
  }
}

const INTERRUPTIONS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
export const RUNNING = new Running();

/** Ends kubectl and the plugins that it started. */
export function endGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // Windows has no groups, and the group may have ended.
    child.kill('SIGKILL');
  }
}

/** Collects bytes up to a limit. */
export class Buffered {
  private readonly chunks: Buffer[] = [];
  private size = 0;

  constructor(private readonly most: number) {}

  /** Returns false beyond the limit, and then keeps no more bytes. */
  add(chunk: Buffer): boolean {
    this.size += chunk.length;
    if (this.size > this.most) return false;
    this.chunks.push(chunk);
    return true;
  }

  text(): string {
    return Buffer.concat(this.chunks).toString();
  }
}
