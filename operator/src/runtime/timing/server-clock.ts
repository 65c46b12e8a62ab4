/** The clock of the API server, as far as its answers tell. */
export interface ServerClock {
  /** Takes note of the date of an answer (RFC 9110, Date) that has just come. */
  answered(date: string | undefined): void;
  /** The milliseconds by which the clock of this process is ahead, give or take a second; undefined before any answer. */
  aheadMs(): number | undefined;
}

/** Answers of which the quickest counts: those that were late seem to be of an earlier time. */
const ANSWERS = 16;

/**
 * Creates one that has heard nothing yet.
 *
 * @param wall the clock in question
 * @param steady a clock that only goes forward, by which times are told apart
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
