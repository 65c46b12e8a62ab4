import { type ResourceLimits, Worker } from 'node:worker_threads';
import { errorText } from '../telemetry/error-text';
import { ALIVE_MS, type ThreadMessage } from './thread-messages';

/** The program of a thread, and its bounds. */
export interface ThreadProgram {
  /** The thread's name in the log. */
  readonly name: string;
  /** Path of the script. */
  readonly script: string;
  /** The script's `workerData`. */
  readonly data: unknown;
  readonly limits: ResourceLimits;
  /** Without a sign of life for so long it is ended. */
  readonly hangsAfterMs: number;
}

/** A thread that runs. */
export interface WatchedThread {
  /** Rejects, with the reason, when it ends. */
  readonly ended: Promise<never>;
  /** Tells it to end, and ends it when it does not. Resolves when it has ended. */
  stop(timeoutMs: number): Promise<void>;
}

/** Starts a thread that gives signs of life, and ends it when it does not. */
export function startThread(program: ThreadProgram, onMessage: (message: ThreadMessage) => void): WatchedThread {
  const { name, script, data, limits, hangsAfterMs } = program;
  const worker = new Worker(script, { name, workerData: data, resourceLimits: limits });
  let failure: unknown;
  // By ticks and not by the clock: a process that was stopped as a whole has missed nothing.
  let silentTicks = 0;
  const watch = setInterval(() => {
    silentTicks += 1;
    if (silentTicks * ALIVE_MS < hangsAfterMs) return;
    failure ??= new Error(`thread ${name} gave no sign of life for ${hangsAfterMs} ms`);
    void worker.terminate();
  }, ALIVE_MS);
  worker.on('message', (message: ThreadMessage) => {
    silentTicks = 0;
    onMessage(message);
  });
  worker.on('error', (error) => {
    failure ??= new Error(`thread ${name}: ${errorText(error)}`);
  });
  const exited = new Promise<number>((resolve) => worker.once('exit', resolve));
  const ended = exited.then((code): never => {
    clearInterval(watch);
    throw failure ?? new Error(`thread ${name} ended with code ${code}`);
  });
  ended.catch(() => undefined);
  return {
    ended,
    stop: async (timeoutMs) => {
      const late = setTimeout(() => void worker.terminate(), timeoutMs);
      worker.postMessage('stop');
      await exited;
      clearTimeout(late);
    },
  };
}
