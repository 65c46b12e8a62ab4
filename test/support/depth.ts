/** At night, tests go through all of their cases; for each change, through some. */
const IS_FULL = process.env.TEST_DEPTH === 'full';

/** How many random cases a test tries: a quarter for each change. */
export function runs(many: number): number {
  return IS_FULL ? many : Math.ceil(many / 4);
}

/** The cases that a test goes through: each fifth for each change, a prime, so that kinds that alternate are all met. */
export function sampled<T>(cases: readonly T[]): readonly T[] {
  return IS_FULL ? cases : cases.filter((_, index) => index % 5 === 0);
}
