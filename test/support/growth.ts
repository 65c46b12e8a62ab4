/** The second measurement is of so many times as much. */
const FACTOR = 16;

/** What is quadratic takes 256 times as much, so that a busy machine, or the collection of garbage, decides nothing. */
const MAX = 4 * FACTOR;

/** Expects that sixteen times as much takes less than sixty-four times the processor's time, at least in one of three runs. */
export function expectLinear(work: (count: number) => void, few: number): void {
  work(few);
  let much = microseconds(() => work(few * FACTOR));
  const runs = Array.from({ length: 3 }, () => microseconds(() => work(few)));
  const little = Math.max(1_000, Math.min(...runs));
  for (let more = 2; more > 0 && much / little >= MAX; more -= 1) {
    much = Math.min(
      much,
      microseconds(() => work(few * FACTOR)),
    );
  }
  expect(much / little).toBeLessThan(MAX);
}

/** The microseconds of the processor that a run takes. */
function microseconds(run: () => void): number {
  const start = process.cpuUsage();
  run();
  return process.cpuUsage(start).user;
}
