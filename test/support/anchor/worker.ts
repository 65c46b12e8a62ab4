import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '../cluster/rest';

/** Work that is done in rounds, one at a time. */
export interface Worker {
  /** Asks for a round soon. */
  wake(): void;
  /** No round begins until {@link Worker.resume}; resolves when the last one has ended. */
  pause(): Promise<void>;
  resume(): void;
  /** Resolves when the last round has ended. @throws the error of a round that was not the API server's */
  stop(): Promise<void>;
}

/** The longest wait of a worker that no change wakes. */
const IDLE_MS = 100;

/**
 * Does a round when woken, and at least each 100 ms. Conflicts, and an API server that is away, end a round; the next
 * one goes on from what there is, as controllers do.
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
      // Not only the alarm, so that a thousand changes do not make a thousand rounds.
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

/** An error that a controller would meet by trying again. */
export function isPassing(error: unknown): boolean {
  if (error instanceof ApiError) return [403, 404, 409, 429, 500, 503, 504].includes(error.code);
  const { code } = error as NodeJS.ErrnoException;
  if (code !== undefined && ['ECONNREFUSED', 'ECONNRESET', 'EPIPE'].includes(code)) return true;
  return error instanceof Error && /^The API server has no |socket hang up/.test(error.message);
}
