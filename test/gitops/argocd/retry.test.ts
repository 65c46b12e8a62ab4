import { Duration } from 'cdk8s';
import fc from 'fast-check';
import { checkRetry, retryPolicy } from '../../../lib/gitops/argocd/retry';
import { parseGoDuration } from '../../../lib/kubernetes/go-duration';

test('by default the attempts go on for as long as a mesh may need to come up', () => {
  const { limit = 0, backoff } = retryPolicy();
  const first = parseGoDuration(backoff?.duration ?? '') ?? 0;
  const longest = parseGoDuration(backoff?.maxDuration ?? '') ?? 0;
  let total = 0;
  for (let attempt = 0; attempt < limit; attempt++)
    total += Math.min(longest, first * (backoff?.factor ?? 1) ** attempt);
  expect(Math.round(total / 60_000)).toBe(17);
});

test('a commit that is pushed between attempts is picked up', () => {
  expect(retryPolicy().refresh).toBe(true);
});

test('durations are written for Go', () => {
  const props = { limit: 3, duration: Duration.seconds(5), factor: 2, maxDuration: Duration.seconds(90) };
  expect(retryPolicy(props)).toMatchObject({ limit: 3, backoff: { duration: '5s', factor: 2, maxDuration: '1m30s' } });
});

test('a duration that cannot be written is a problem, not an exception', () => {
  const props = { duration: Duration.millis(0.5), maxDuration: Duration.days(200_000) };
  expect(retryPolicy(props).backoff).toEqual({ factor: 2 });
  expect(checkRetry(props)).toMatchObject([
    { what: expect.stringContaining('retry.duration') },
    { what: expect.stringContaining('retry.maxDuration') },
  ]);
});

test.each([-1, 1, 50])('limit %p is good', (limit) => {
  expect(checkRetry({ limit })).toEqual([]);
});

test.each([0, -2, 1.5, Number.NaN])('limit %p is a problem', (limit) => {
  expect(checkRetry({ limit })).toMatchObject([
    { code: 'retry-refused', parameters: { field: 'limit', value: String(limit) } },
  ]);
});

test.each([0, -1, 1.5])('factor %p is a problem', (factor) => {
  expect(checkRetry({ factor })).toMatchObject([
    { code: 'retry-refused', parameters: { field: 'factor', value: String(factor) } },
  ]);
});

test('no pause is a problem', () => {
  expect(checkRetry({ duration: Duration.seconds(0) })).toMatchObject([
    { code: 'retry-refused', parameters: { field: 'duration' } },
  ]);
});

test('a longest pause below the first is a problem', () => {
  const parameters = { field: 'maxDuration', value: '3 minutes', expected: 'retry.duration (4 minutes) or more' };
  expect(checkRetry({ duration: Duration.minutes(4) })).toMatchObject([{ code: 'retry-refused', parameters }]);
});

test('the pauses are in order exactly when nothing is reported', () => {
  const seconds = fc.integer({ min: 1, max: 100_000 });
  fc.assert(
    fc.property(seconds, seconds, (first, longest) => {
      const problems = checkRetry({ duration: Duration.seconds(first), maxDuration: Duration.seconds(longest) });
      expect(problems.length === 0).toBe(first <= longest);
    }),
  );
});

test('all problems are reported at once', () => {
  expect(checkRetry({ limit: 0, factor: 0, duration: Duration.seconds(0) })).toHaveLength(3);
});
