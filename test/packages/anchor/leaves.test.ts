import { haveAllStartedAfter, leavesIssued } from '#anchor/leaves';
import type { RememberedLeaves } from '#anchor/memory';
import { startedAfter } from '#anchor/times';
import { NOW, POLICY } from './fixture';

const { lag, patience, restartTime } = POLICY;
const GONE = NOW + 1000 + lag + patience + restartTime;
const LONG = { reach: 1000, asked: 1000 };
const SHORTENED = { reach: 1000, asked: 100, until: NOW + 50 };

test.each<[string, RememberedLeaves | undefined, number, RememberedLeaves]>([
  ['without a record, the lifetime is that of the policy', undefined, 100, { reach: 100, asked: 100 }],
  ['a longer lifetime applies at once', LONG, 2000, { reach: 2000, asked: 2000 }],
  [
    'a shorter lifetime applies once the longer certificates have expired',
    LONG,
    100,
    { reach: 1000, asked: 100, until: GONE },
  ],
  ['an even shorter lifetime starts the wait again', SHORTENED, 50, { reach: 1000, asked: 50, until: GONE }],
  ['the same lifetime does not start the wait again', SHORTENED, 100, SHORTENED],
  ['an intermediate lifetime does not start the wait again', SHORTENED, 200, { ...SHORTENED, asked: 200 }],
  ['a return to the earlier lifetime ends the wait', SHORTENED, 1000, LONG],
  ['a longer lifetime ends the wait', SHORTENED, 2000, { reach: 2000, asked: 2000 }],
  [
    'the wait ends when the longer certificates have expired',
    { ...SHORTENED, until: NOW },
    100,
    { reach: 100, asked: 100 },
  ],
  ['the wait does not end earlier', { ...SHORTENED, until: NOW + 1 }, 100, { ...SHORTENED, until: NOW + 1 }],
  [
    'a record without the time of their expiry is replaced at once',
    { reach: 1000, asked: 100 },
    100,
    { reach: 100, asked: 100 },
  ],
])('the operator records the lifetime of proxy certificates: %s', (_, before, leafReach, after) => {
  expect(leavesIssued(before, { ...POLICY, leafReach }, NOW)).toStrictEqual(after);
});

test('an unseen pod may have started with the old lifetime, until the operator would have observed it', () => {
  const from = startedAfter(NOW, POLICY);
  const haveAll = (now: number): boolean => haveAllStartedAfter({ pods: [], policy: POLICY }, NOW, now);
  expect([from, from + lag - 1, from + lag].map(haveAll)).toEqual([false, false, true]);
});
