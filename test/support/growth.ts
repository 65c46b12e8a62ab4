/** The second measurement is of so many times as much. */
const FACTOR = 16;

/**
 * Expects that sixteen times as much takes less than sixty-four times the processor's time. What is quadratic takes 256
 * times as much, so that a busy machine, or the collection of garbage, decides nothing.
 */
export function expectLinear(work: (count: number) => void, few: number): void {
  work(few);
  const ratio =
    least(() => work(few * FACTOR)) /
    Math.max(
      1_000,
      least(() => work(few)),
    );
  expect(ratio).toBeLessThan(4 * FACTOR);
}

/** The least microseconds of the processor in three runs. */
function least(run: () => void): number {
  const times = Array.from({ length: 3 }, () => {
    const start = process.cpuUsage();
    run();
    return process.cpuUsage(start).user;
  });
  return Math.min(...times);
}
