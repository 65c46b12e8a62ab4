import { backoffDelayMs } from '#controller-runtime/timing/backoff';

test.each([
  [1, 5],
  [2, 10],
  [3, 20],
  [18, 655_360],
  [19, 1_000_000],
  [100_000, 1_000_000],
])('after %i failures in a row: %i ms', (failures, delayMs) => {
  expect(backoffDelayMs({ baseMs: 5, maxMs: 1_000_000 }, failures)).toBe(delayMs);
});
