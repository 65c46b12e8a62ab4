/** The second measurement is of this many times as much work. */
const FACTOR = 16;

/** Quadratic work takes 256 times as long. This lower limit allows for a busy machine and garbage collection. */
const MAX = 4 * FACTOR;

/** Expects that 16 times as much work takes less than 64 times the CPU time, in at least one of three runs. */
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

/** The CPU time of a run in microseconds. */
function microseconds(run: () => void): number {
  const start = process.cpuUsage();
  run();
  return process.cpuUsage(start).user;
}
