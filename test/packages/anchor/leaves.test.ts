import { haveAllStartedAfter, leavesIssued } from '#anchor/leaves';
import type { RememberedLeaves } from '#anchor/memory';
import { startedAfter } from '#anchor/times';
import { NOW, POLICY } from './fixture';

const { lag, patience, restartTime } = POLICY;
const GONE = NOW + 1000 + lag + patience + restartTime;
const LONG = { reach: 1000, asked: 1000 };
const SHORTENED = { reach: 1000, asked: 100, until: NOW + 50 };

test.each<[string, RememberedLeaves | undefined, number, RememberedLeaves]>([
  ['those that nobody remembers reach as far as is asked for', undefined, 100, { reach: 100, asked: 100 }],
  ['longer ones reach farther at once', LONG, 2000, { reach: 2000, asked: 2000 }],
  ['shorter ones come after those that were issued before', LONG, 100, { reach: 1000, asked: 100, until: GONE }],
  ['shorter ones than these once more', SHORTENED, 50, { reach: 1000, asked: 50, until: GONE }],
  ['what is waited for is not waited for anew', SHORTENED, 100, SHORTENED],
  ['nor for longer ones that reach less far', SHORTENED, 200, { ...SHORTENED, asked: 200 }],
  ['as long as before again, there is nothing to wait for', SHORTENED, 1000, LONG],
  ['longer than ever, neither', SHORTENED, 2000, { reach: 2000, asked: 2000 }],
  ['those of before are gone then', { ...SHORTENED, until: NOW }, 100, { reach: 100, asked: 100 }],
  ['and not a moment earlier', { ...SHORTENED, until: NOW + 1 }, 100, { ...SHORTENED, until: NOW + 1 }],
  ['and at once where nobody knows until when', { reach: 1000, asked: 100 }, 100, { reach: 100, asked: 100 }],
])('the operator remembers leaves: %s', (_, before, leafReach, after) => {
  expect(leavesIssued(before, { ...POLICY, leafReach }, NOW)).toStrictEqual(after);
});

test('an unseen pod may have started too early, until the operator must have seen it', () => {
  const from = startedAfter(NOW, POLICY);
  const haveAll = (now: number): boolean => haveAllStartedAfter({ pods: [], policy: POLICY }, NOW, now);
  expect([from, from + lag - 1, from + lag].map(haveAll)).toEqual([false, false, true]);
});
