import { mayPass } from '#controller-runtime/client/api-error';
import type { Logger } from '#controller-runtime/telemetry/logger';
import { sleep } from '#controller-runtime/timing/wait';
import { RotationFailure } from './rotation-failure';

/** Options of {@link poll}. */
export interface Polling {
  /** Milliseconds after which an attempt is marked as overdue. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly log: Logger;
}

/** Waits grow, because fast operations take less than a second. */
const FIRST_WAIT_MS = 100;
const MAX_WAIT_MS = 2_000;

/**
 * Repeats an attempt until it returns a value. An overdue attempt should throw instead of returning undefined. Until
 * then, `poll` also waits for an API server that is down, or too busy to answer.
 * @throws what an attempt throws, or the signal's reason when that aborts
 */
export async function poll<T>(attempt: (overdue: boolean) => Promise<T | undefined>, polling: Polling): Promise<T> {
  const { timeoutMs, signal, log } = polling;
  const deadline = performance.now() + timeoutMs;
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 2, MAX_WAIT_MS)) {
    signal.throwIfAborted();
    const overdue = performance.now() >= deadline;
    try {
      const value = await attempt(overdue);
      if (value !== undefined) return value;
    } catch (error) {
      signal.throwIfAborted();
      if (overdue || error instanceof RotationFailure || !mayPass(error)) throw error;
      log.warn('the API server did not answer, retrying', { error });
    }
    await sleep(waitMs, signal);
  }
}
