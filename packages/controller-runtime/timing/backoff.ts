/** Delays that double with each failure. */
export interface Backoff {
  /** The delay after the first failure, in milliseconds. */
  readonly baseMs: number;
  /** The longest delay, in milliseconds. */
  readonly maxMs: number;
}

/** Returns the milliseconds to wait after this many consecutive failures (1 = the first). */
export function backoffDelayMs({ baseMs, maxMs }: Backoff, failures: number): number {
  // The exponent is limited, since 0 times infinity is NaN.
  return Math.min(maxMs, baseMs * 2 ** Math.min(failures - 1, 64));
}
