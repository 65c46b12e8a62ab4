/** Delays that double from one failure to the next. */
export interface Backoff {
  /** The delay after the first failure, in milliseconds. */
  readonly baseMs: number;
  /** The longest delay, in milliseconds. */
  readonly maxMs: number;
}

/** Milliseconds to wait after this many failures in a row (1 = the first). */
export function backoffDelayMs({ baseMs, maxMs }: Backoff, failures: number): number {
  // The exponent is bounded since 0 times infinity is no number.
  return Math.min(maxMs, baseMs * 2 ** Math.min(failures - 1, 64));
}
