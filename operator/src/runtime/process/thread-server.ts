import type { ResourceLimits } from 'node:worker_threads';
import type { Server } from '../server/server';
import type { Logger } from '../telemetry/logger';
import { type Backoff, backoffDelayMs } from '../timing/backoff';
import type { ThreadMetrics } from './thread-messages';
import { startThread, type ThreadProgram, type WatchedThread } from './watched-thread';

export interface ThreadServerOptions extends Pick<ThreadProgram, 'name' | 'script'> {
  /** Returns the script's `workerData`. A server that is started again keeps its port. */
  readonly dataFor: (port: number) => unknown;
  /** 0 lets the operating system choose. */
  readonly port: number;
  readonly log: Logger;
  readonly onMetrics: (metrics: ThreadMetrics) => void;
  /** The thread ended by itself. */
  readonly onEnd: () => void;
  /** The limits of the thread's heap. @default - 80 MiB, and 8 MiB for the young generation */
  readonly limits?: ResourceLimits;
  /** Waits before the thread is started again. @default - half a second, doubled up to half a minute */
  readonly backoff?: Backoff;
  /** Without a sign of life for so long it hangs, and is started again. @default 30,000 */
  readonly hangsAfterMs?: number;
}

const LIMITS: ResourceLimits = { maxOldGenerationSizeMb: 80, maxYoungGenerationSizeMb: 8 };
const BACKOFF: Backoff = { baseMs: 500, maxMs: 30_000 };
const HANGS_AFTER_MS = 30_000;
/** Milliseconds after which the next end of a thread counts as the first one. */
const LASTED_MS = 60_000;
/** Milliseconds that a thread has to stop: longer than a server takes to drain. */
const LAST_WORK_MS = 10_000;

/**
 * A server in a thread of its own, which shares neither event loop nor heap with the rest: what strangers ask of it
 * cannot keep the process from renewing its lease, or take all of its memory. When it ends, or hangs, it is started
 * again.
 */
export function createThreadServer(options: ThreadServerOptions): Server {
  const { name, script, log, limits = LIMITS, backoff = BACKOFF, hangsAfterMs = HANGS_AFTER_MS } = options;
  let port = options.port;
  let thread: WatchedThread | undefined;
  let missing: readonly string[] | undefined;
  let isStopping = false;
  let failures = 0;
  let restart: NodeJS.Timeout | undefined;

  /** Resolves when the server listens. */
  const launch = (): Promise<number> => {
    const listening = Promise.withResolvers<number>();
    const program = { name, script, data: options.dataFor(port), limits, hangsAfterMs };
    const started = startThread(program, (message) => {
      if (message.kind === 'listening') listening.resolve(message.port);
      else if (message.kind === 'alive') missing = message.missing;
      else options.onMetrics(message);
    });
    thread = started;
    started.ended.catch(() => {
      thread = undefined;
      missing = undefined;
    });
    return Promise.race([listening.promise, started.ended]);
  };
  const serve = async (): Promise<number> => {
    const launching = launch();
    const launched = thread;
    port = await launching;
    const begunAt = performance.now();
    launched?.ended.catch((error) => {
      if (isStopping) return;
      if (performance.now() - begunAt > LASTED_MS) failures = 0;
      startAgain(error);
    });
    return port;
  };
  const startAgain = (error: unknown): void => {
    failures += 1;
    const inMs = backoffDelayMs(backoff, failures);
    log.error('a thread ended, and is started again', { thread: name, inMs, error });
    options.onEnd();
    restart = setTimeout(() => {
      serve().then(
        () => log.info('a thread is back', { thread: name, port }),
        (failure) => {
          if (!isStopping) startAgain(failure);
        },
      );
    }, inMs);
  };
  return {
    start: serve,
    missing: () => missing ?? [`server ${name}`],
    stop: async () => {
      isStopping = true;
      clearTimeout(restart);
      await thread?.stop(LAST_WORK_MS);
    },
  };
}
