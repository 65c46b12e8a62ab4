import { createTokenBucket } from '#controller-runtime/timing/token-bucket';

let time = 0;
const bucket = () => createTokenBucket({ perSecond: 10, burst: 3, now: () => time });

beforeEach(() => {
  time = 0;
});

test('a full bucket lets the burst pass, and the rest at its rate', () => {
  const { reserve } = bucket();
  expect([reserve(), reserve(), reserve(), reserve(), reserve()]).toEqual([0, 0, 0, 100, 200]);
});

test('tokens come back with time', () => {
  const { reserve } = bucket();
  for (let i = 0; i < 5; i++) reserve();
  time = 250;
  expect(reserve()).toBeCloseTo(50);
});

test('no more tokens come back than the bucket holds', () => {
  const { tryTake } = bucket();
  time = 3_600_000;
  expect([tryTake(), tryTake(), tryTake(), tryTake()]).toEqual([true, true, true, false]);
});

test('a token that is not there is not owed', () => {
  const { tryTake } = bucket();
  for (let i = 0; i < 100; i++) tryTake();
  time = 100;
  expect([tryTake(), tryTake()]).toEqual([true, false]);
});
