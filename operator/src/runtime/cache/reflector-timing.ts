import { ApiError, mayPass } from '../client/api-error';
import { askedWaitMs } from '../client/retry-policy';
import { WatchLostError } from '../client/watch-stream';
import { type Backoff, backoffDelayMs } from '../timing/backoff';

/** The delays of a reflector. */
export interface WatchTiming {
  /** Waits after failures in a row. */
  readonly backoff: Backoff;
  /** Milliseconds without a byte after which a watch counts as dead. */
  readonly inactivityTimeoutMs: number;
  /** A watch that held for this many milliseconds was no failure, however it ended. */
  readonly settledMs: number;
  /** Returns the seconds after which the API server is to end a watch. */
  readonly watchSeconds: () => number;
}

/**
 * The timing outside of tests. An API server sends a bookmark every minute, so 90 s without a byte are a dead
 * connection, or an API server that has seen nothing of the resource yet: it starts with bookmarks only then
 * (measured on 1.34), and until then a watch is opened anew from where it was, which costs one request.
 * Watches last five to ten minutes, as client-go's do: spread, so that API servers behind a load balancer even out.
 */
export const STEADY_TIMING: WatchTiming = {
  backoff: { baseMs: 200, maxMs: 10_000 },
  inactivityTimeoutMs: 90_000,
  settledMs: 5_000,
  watchSeconds: () => Math.round(300 * (1 + Math.random())),
};

/**
 * Tells whether a watch that failed may go on from the version that it had reached. Not if the server refuses to, or if
 * what it sent made no sense: then everything is read again.
 */
export function canResume(error: unknown): boolean {
  return !(error instanceof WatchLostError) && mayPass(error);
}

/** Failures in a row. */
export interface Failures {
  readonly count: number;
  /** True if the last failure was an answer of the API server. */
  readonly answered: boolean;
}

/** The state without failures. */
export const NO_FAILURES: Failures = { count: 0, answered: true };

/** An answer after none counts as the first failure: the server is back, and what it refuses now is another matter. */
export function addFailure({ count, answered }: Failures, error: unknown): Failures {
  const answers = error instanceof ApiError;
  return { count: answers && !answered ? 1 : count + 1, answered: answers };
}

/**
 * Returns the milliseconds to wait after this many failures in a row, the last of which was this error.
 * @param random at least 0, less than 1: spreads those who were interrupted together
 */
export function watchRetryDelayMs(backoff: Backoff, failures: number, error: unknown, random: number): number {
  const ownMs = backoffDelayMs(backoff, failures) * (0.5 + random / 2);
  const askedMs = error instanceof ApiError ? (askedWaitMs(error) ?? 0) : 0;
  return Math.max(ownMs, askedMs);
}
