/** One piece of work is as large as this many others together. */
const FACTOR = 16;

/** Quadratic work takes 16 times as long in one piece. Linear work takes up to 1.6 times as long. */
const MAX = 3;

/** The number of measurements. Other processes and garbage collection may disturb some of them. */
const ATTEMPTS = 10;

/** Shorter work is not measured. */
const MIN_MICROSECONDS = 1_000;

/**
 * Expects that work in one piece takes less than 3 times the CPU time of the same amount in 16 pieces.
 *
 * @param work - called with another number each time, so that no result is remembered
 */
export function expectLinear(work: (count: number) => void, few: number): void {
  work(few);
  let growth = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < ATTEMPTS && growth >= MAX; attempt += 1) {
    const counts = Array.from({ length: FACTOR }, (_, piece) => few + 1 + attempt * FACTOR + piece);
    const whole = microseconds(() => work(counts.reduce((sum, count) => sum + count)));
    const pieces = microseconds(() => {
      for (const count of counts) work(count);
    });
    growth = Math.min(growth, whole / Math.max(pieces, MIN_MICROSECONDS));
  }
  expect(growth).toBeLessThan(MAX);
}

/** The CPU time of a run. */
function microseconds(run: () => void): number {
  const start = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(start);
  return user + system;
}
