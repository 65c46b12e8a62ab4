import { DAY } from '#base/time-units';
import { createDelayedKeys } from '#controller-runtime/controller/workqueue';

const due: string[] = [];
beforeEach(() => {
  jest.useFakeTimers();
  due.length = 0;
});
afterEach(() => {
  jest.useRealTimers();
});

const delayed = () => createDelayedKeys((key) => due.push(key));

test('a delayed key becomes due once, at its time', () => {
  delayed().add('a', 100);
  jest.advanceTimersByTime(99);
  expect(due).toEqual([]);
  jest.advanceTimersByTime(10_000);
  expect(due).toEqual(['a']);
});

test.each([0, -5])('a delayed key is due at once with a delay of %i ms', (delayMs) => {
  delayed().add('a', delayMs);
  expect(due).toEqual(['a']);
});

test.each([
  [100, 300],
  [300, 100],
])('of two delays of a key (%i and %i ms), the earlier counts', (first, second) => {
  const keys = delayed();
  keys.add('a', first);
  keys.add('a', second);
  jest.advanceTimersByTime(100);
  expect(due).toEqual(['a']);
  jest.advanceTimersByTime(1_000);
  expect(due).toEqual(['a']);
});

test('a delayed key waits for a delay longer than any timer', () => {
  delayed().add('a', 40 * DAY);
  jest.advanceTimersByTime(39.9 * DAY);
  expect(due).toEqual([]);
  jest.advanceTimersByTime(0.1 * DAY);
  expect(due).toEqual(['a']);
});

test('no key becomes due after the end, and no timer is left', () => {
  const keys = delayed();
  keys.add('a', 10);
  keys.clear();
  keys.add('b', 10);
  keys.add('c', 0);
  expect(jest.getTimerCount()).toBe(0);
  expect(due).toEqual([]);
});
