/** Nightly tests try all of their cases; tests of a change try some. */
const IS_FULL = process.env.TEST_DEPTH === 'full';

/** The number of random cases that a test tries: for a change, a quarter. */
export function runs(many: number): number {
  return IS_FULL ? many : Math.ceil(many / 4);
}

/** The cases that a test tries: for a change, each fifth. Five is prime, so alternating kinds are all sampled. */
export function sampled<T>(cases: readonly T[]): readonly T[] {
  return IS_FULL ? cases : cases.filter((_, index) => index % 5 === 0);
}
