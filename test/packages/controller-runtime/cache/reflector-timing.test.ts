import {
  addFailure,
  canResume,
  NO_FAILURES,
  STEADY_TIMING,
  watchRetryDelayMs,
} from '#controller-runtime/cache/reflector-timing';
import { WatchLostError } from '#controller-runtime/client/watch-stream';
import { apiError } from '#test/support/controller-runtime/api-error';

const refusal = (status: number, retryAfterSeconds?: number) => apiError(status, { retryAfterSeconds });

test.each([
  ['a connection that broke', new Error('ECONNRESET'), true],
  ['too many requests', refusal(429), true],
  ['a server that is starting', refusal(503), true],
  ['a version that is too old', refusal(410), false],
  ['a removed kind', refusal(404), false],
  ['a revoked permission', refusal(403), false],
  ['invalid content', new WatchLostError(''), false],
])('whether the watch may continue after %s: %p -> %p', (_name, error, expected) =>
  expect(canResume(error)).toBe(expected),
);

const BACKOFF = { baseMs: 200, maxMs: 30_000 };

test.each([
  ['first', 1, 0, 100],
  ['first', 1, 1, 200],
  ['third', 3, 1, 800],
  ['hundredth', 100, 1, 30_000],
])('the wait after the %s failure is between half and all of its step', (_name, failures, random, expected) => {
  expect(watchRetryDelayMs(BACKOFF, failures, new Error(), random)).toBe(expected);
});

test('the wait is not shorter than the server requests', () => {
  expect(watchRetryDelayMs(BACKOFF, 1, refusal(429, 7), 0)).toBe(7_000);
  expect(watchRetryDelayMs(BACKOFF, 100, refusal(429, 7), 0)).toBe(15_000);
});

test.each([86_400, 30 * 86_400, Number.POSITIVE_INFINITY])(
  'the wait is limited, even if the server requests %p seconds',
  (seconds) => expect(watchRetryDelayMs(BACKOFF, 1, refusal(429, seconds), 0)).toBe(30_000),
);

test('a watch lasts five to ten minutes, longer than the silence that ends it', () => {
  for (let index = 0; index < 100; index += 1) {
    expect(STEADY_TIMING.watchSeconds()).toBeGreaterThanOrEqual(300);
    expect(STEADY_TIMING.watchSeconds()).toBeLessThanOrEqual(600);
  }
  expect(STEADY_TIMING.settledMs).toBeLessThan(STEADY_TIMING.inactivityTimeoutMs);
});

test('failures of one kind add up, and an answer resets them', () => {
  const [silence, gone] = [new Error('ECONNREFUSED'), refusal(410)];
  const counts = (errors: readonly Error[]) => errors.reduce(addFailure, NO_FAILURES).count;
  expect(counts([silence, silence, silence])).toBe(3);
  expect(counts([gone, gone])).toBe(2);
  expect(counts([silence, silence, gone])).toBe(1);
  expect(counts([silence, silence, gone, gone])).toBe(2);
});
