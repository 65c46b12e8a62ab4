import { goDurationMs } from '../../../operator/api/go-duration';

test.each([
  ['87600h', 315_360_000_000],
  ['1h30m', 5_400_000],
  ['1.5h', 5_400_000],
  ['20s', 20_000],
  ['250ms', 250],
  ['1µs', 0.001],
  ['0', 0],
])('%s is %d ms', (text, ms) => {
  expect(goDurationMs(text)).toBeCloseTo(ms, 6);
});

test.each(['', '5', '1d', '-1h', 'h', '1h x'])('%j is no duration', (text) => {
  expect(goDurationMs(text)).toBeUndefined();
});
