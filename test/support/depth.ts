/**
 * How many random cases a test tries: all of them at night, where `TEST_DEPTH` is `full`, and a quarter for each change.
 */
export function runs(many: number): number {
  return process.env.TEST_DEPTH === 'full' ? many : Math.ceil(many / 4);
}
