import { retryDelayMs } from '#controller-runtime/client/retry-policy';
import { apiError } from '#test/support/controller-runtime/api-error';

const failure = (status: number, retryAfterSeconds?: number) => apiError(status, { retryAfterSeconds });

test.each([
  ['as long as requested', 429, 2, 1, 0, 2_000],
  ['after a server error', 503, 1, 1, 0, 1_000],
  ['at most a quarter longer', 429, 2, 1, 1, 2_500],
  ['at most 30 s and the jitter', 429, 3_600, 1, 0, 30_000],
  ['after the fourth attempt', 429, 0, 4, 0, 0],
] as const)('the retry policy waits %s', (...[, status, retryAfter, attempts, random, expected]) => {
  expect(retryDelayMs(failure(status, retryAfter), attempts, random)).toBe(expected);
});

test.each([
  ['without Retry-After', 429, undefined, 1],
  ['with status 409', 409, 1, 1],
  ['the fifth time', 429, 1, 5],
])('the retry policy does not retry a refusal %s', (_name, status, retryAfter, attempts) => {
  expect(retryDelayMs(failure(status, retryAfter), attempts, 0)).toBeUndefined();
});
