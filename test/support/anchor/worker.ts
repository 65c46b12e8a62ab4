import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '../cluster/rest';

/** A loop of rounds of work. */
export interface Worker {
  /** Starts a round soon. */
  wake(): void;
  /** Prevents further rounds until {@link Worker.resume}; resolves when the current one has ended. */
  pause(): Promise<void>;
  resume(): void;
  /** Ends the loop; resolves when the last round has ended. @throws the first error that was not transient */
  stop(): Promise<void>;
}

/** The wait before the next round of a worker that nothing wakes. */
const IDLE_MS = 100;

/**
 * Runs a round when woken, and after `idleMs` at the latest. A transient error, such as a conflict or an unavailable
 * API server, ends a round; the next one continues from the cluster's state, as controllers do.
 */
export function startWorker(round: () => Promise<void>, { idleMs = IDLE_MS } = {}): Worker {
  let stopped = false;
  let paused = false;
  let woken = Promise.withResolvers<void>();
  let inRound: Promise<void> = Promise.resolve();
  let failure: unknown;
  const loop = async (): Promise<void> => {
    while (!stopped) {
      woken = Promise.withResolvers();
      if (!paused) {
        inRound = round().catch((error) => {
          if (isPassing(error)) return;
          failure ??= error;
          stopped = true;
        });
        await inRound;
      }
      // This pause lets many changes share one round.
      await sleep(5);
      await Promise.race([woken.promise, sleep(idleMs)]);
    }
  };
  const running = loop();
  return {
    wake: () => woken.resolve(),
    pause: async () => {
      paused = true;
      await inRound;
    },
    resume: () => {
      paused = false;
      woken.resolve();
    },
    stop: async () => {
      stopped = true;
      woken.resolve();
      await running;
      if (failure !== undefined) throw failure;
    },
  };
}

/** Whether a controller would try again after this error. */
export function isPassing(error: unknown): boolean {
  if (error instanceof ApiError) return [403, 404, 409, 429, 500, 503, 504].includes(error.code);
  const { code } = error as NodeJS.ErrnoException;
  if (code !== undefined && ['ECONNREFUSED', 'ECONNRESET', 'EPIPE'].includes(code)) return true;
  return error instanceof Error && /^The API server has no |socket hang up/.test(error.message);
}
