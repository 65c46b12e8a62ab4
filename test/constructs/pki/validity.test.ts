import { durationText } from '#kubernetes/options/duration-like';
import { durationCode, windowCode } from '#lib/constructs/pki/validity';

test.each([
  [90_000_000, '25h', 'Duration.hours(25)'],
  [172_800_000, '48h', 'Duration.days(2)'],
  [5_184_000_000, '1440h (60 days)', 'Duration.days(60)'],
  [5_400_000, '1h30m', 'Duration.minutes(90)'],
  [86_420_000, '24h20s', 'Duration.seconds(86420)'],
  [1_500, '1s500ms', 'Duration.millis(1500)'],
])('synth prints %d ms as %s, in code %s', (ms, text, code) => {
  expect(durationText(ms)).toBe(text);
  expect(durationCode(ms)).toBe(code);
});

test('synth prints durations that it cannot emit', () => {
  expect(durationText(0.4)).toBe('0s');
  expect(durationText(Number.MAX_SAFE_INTEGER)).toMatch(/^2562047h/);
});

test('synth prints a validity as code', () => {
  expect(windowCode({ duration: 172_800_000, renewBefore: 90_000_000 })).toBe(
    '{ duration: Duration.days(2), renewBefore: Duration.hours(25) }',
  );
});
