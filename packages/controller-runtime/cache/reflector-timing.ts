import { ApiError, mayPass } from '../client/api-error';
import { askedWaitMs } from '../client/retry-policy';
import { WatchLostError } from '../client/watch-stream';
import { type Backoff, backoffDelayMs } from '../timing/backoff';

/** The delays of a reflector. */
export interface WatchTiming {
  /** Delays after consecutive failures. */
  readonly backoff: Backoff;
  /** Milliseconds without a byte after which a watch counts as dead. */
  readonly inactivityTimeoutMs: number;
  /** Milliseconds after which a watch counts as successful, however it ends. */
  readonly settledMs: number;
  /** Returns the seconds after which the API server should end a watch. */
  readonly watchSeconds: () => number;
}

/**
 * The timing outside tests. An API server sends a bookmark every minute, so 90 s without a byte indicate a dead
 * connection. Before the first change of a resource, it sends none (measured on 1.34): then the watch is reopened at
 * the same version, which costs one request. Watches last five to ten minutes, as in client-go. This random time
 * spreads the load on API servers behind a load balancer.
 */
export const STEADY_TIMING: WatchTiming = {
  backoff: { baseMs: 200, maxMs: 10_000 },
  inactivityTimeoutMs: 90_000,
  settledMs: 5_000,
  watchSeconds: () => Math.round(300 * (1 + Math.random())),
};

/**
 * Whether a failed watch may resume from the version that it had reached. If the server refuses, or its data was
 * invalid, all objects must be read again.
 */
export function canResume(error: unknown): boolean {
  return !(error instanceof WatchLostError) && mayPass(error);
}

/** Consecutive failures. */
export interface Failures {
  readonly count: number;
  /** True if the last failure was an answer of the API server. */
  readonly answered: boolean;
}

/** The state without failures. */
export const NO_FAILURES: Failures = { count: 0, answered: true };

/** An answer after a missing one counts as the first failure: the server is back, and its refusal is unrelated. */
export function addFailure({ count, answered }: Failures, error: unknown): Failures {
  const answers = error instanceof ApiError;
  return { count: answers && !answered ? 1 : count + 1, answered: answers };
}

/**
 * Returns the milliseconds to wait after this many consecutive failures, the last of which was this error.
 * @param random at least 0, less than 1: spreads clients that were interrupted together
 */
export function watchRetryDelayMs(backoff: Backoff, failures: number, error: unknown, random: number): number {
  const ownMs = backoffDelayMs(backoff, failures) * (0.5 + random / 2);
  const askedMs = error instanceof ApiError ? (askedWaitMs(error) ?? 0) : 0;
  return Math.max(ownMs, askedMs);
}
