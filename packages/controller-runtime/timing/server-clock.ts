/** The clock of the API server, estimated from its answers. */
export interface ServerClock {
  /** Records the date of an answer (RFC 9110, Date) that has just arrived. */
  answered(date: string | undefined): void;
  /**
   * Returns by how many milliseconds the clock of this process is ahead, accurate to a second; undefined before any
   * answer.
   */
  aheadMs(): number | undefined;
}

/** Number of recent answers. Only the fastest counts, because the date of a slow one seems to be earlier. */
const ANSWERS = 16;

/**
 * Creates a clock without answers.
 *
 * @param wall the clock to compare
 * @param steady a monotonic clock, for differences of times
 */
export function serverClock(
  wall: () => number = Date.now,
  steady: () => number = () => performance.now(),
): ServerClock {
  let offsets: readonly number[] = [];
  return {
    answered: (date) => {
      const time = Date.parse(date ?? '');
      if (Number.isFinite(time)) offsets = [...offsets, time - steady()].slice(-ANSWERS);
    },
    aheadMs: () => (offsets.length === 0 ? undefined : wall() - steady() - Math.max(...offsets)),
  };
}
