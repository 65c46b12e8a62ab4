import { createTokenBucket } from '#controller-runtime/timing/token-bucket';

let time = 0;
const bucket = () => createTokenBucket({ perSecond: 10, burst: 3, now: () => time });

beforeEach(() => {
  time = 0;
});

test('a full token bucket lets a burst pass, and the rest at its rate', () => {
  const { reserve } = bucket();
  expect([reserve(), reserve(), reserve(), reserve(), reserve()]).toEqual([0, 0, 0, 100, 200]);
});

test('a token bucket refills with time', () => {
  const { reserve } = bucket();
  for (let i = 0; i < 5; i++) reserve();
  time = 250;
  expect(reserve()).toBeCloseTo(50);
});

test('a token bucket refills to its capacity at most', () => {
  const { tryTake } = bucket();
  time = 3_600_000;
  expect([tryTake(), tryTake(), tryTake(), tryTake()]).toEqual([true, true, true, false]);
});

test('a refused request does not reduce the tokens of a bucket', () => {
  const { tryTake } = bucket();
  for (let i = 0; i < 100; i++) tryTake();
  time = 100;
  expect([tryTake(), tryTake()]).toEqual([true, false]);
});
