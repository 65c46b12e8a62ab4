import { Duration } from 'cdk8s';
import fc from 'fast-check';
import { GO_DURATION_MAX_MS, goDurationMs } from '#base/go-duration';
import { checkGoDuration, goDuration } from '#kubernetes/options/duration-like';
import { askOracle } from '#test/support/oracle';

const milliseconds = fc.oneof(
  fc.integer({ min: 0, max: GO_DURATION_MAX_MS }),
  fc.integer({ min: 0, max: 100_000 }),
  fc.integer({ min: 0, max: 2_000_000 }).map((hours) => hours * 3_600_000),
);

describe('goDuration', () => {
  test.each([
    [Duration.hours(48), '48h'],
    [Duration.hours(25), '25h'],
    [Duration.days(3650), '87600h'],
    [Duration.minutes(90), '1h30m'],
    [Duration.minutes(60), '1h'],
    [Duration.hours(1.5), '1h30m'],
    [Duration.seconds(20), '20s'],
    [Duration.seconds(60), '1m'],
    [Duration.seconds(3601), '1h1s'],
    [Duration.millis(500), '500ms'],
    [Duration.millis(1500), '1s500ms'],
    [Duration.millis(0), '0s'],
    [Duration.millis(GO_DURATION_MAX_MS), '2562047h47m16s854ms'],
  ])('writes %j as %s', (duration, text) => expect(goDuration(duration)).toBe(text));

  test('omits units of zero, and keeps every unit below the next larger one', () => {
    fc.assert(
      fc.property(milliseconds, (amount) => {
        expect(goDuration(Duration.millis(amount))).toMatch(
          /^(0s|(?!$)([1-9]\d*h)?(([1-9]|[1-5]\d)m)?(([1-9]|[1-5]\d)s)?([1-9]\d{0,2}ms)?)$/,
        );
      }),
    );
  });

  test('writes text that Go reads as exactly the same duration', () => {
    const amounts = fc.sample(milliseconds, { numRuns: 2_000, seed: 1 });
    const answers = askOracle(
      'duration',
      amounts.map((amount) => goDuration(Duration.millis(amount))),
    );
    expect(answers.map(({ value }) => value)).toEqual(amounts.map((amount) => String(BigInt(amount) * 1_000_000n)));
  });

  test('writes text that goDurationMs reads as the same duration', () => {
    fc.assert(
      fc.property(milliseconds, (amount) => {
        expect(goDurationMs(goDuration(Duration.millis(amount)))).toBe(amount);
      }),
    );
  });
});

describe('checkGoDuration', () => {
  test.each([
    ['longer than Go holds', Duration.millis(GO_DURATION_MAX_MS + 1), 'a shorter duration'],
    ['endless', Duration.days(Number.POSITIVE_INFINITY), 'a shorter duration'],
    ['finer than a millisecond', Duration.millis(0.5), 'whole milliseconds, such as Duration.millis(1)'],
    ['not a number', Duration.hours(Number.NaN), 'whole milliseconds, such as Duration.millis(0)'],
  ])('refuses a duration that is %s', (_, duration, example) => {
    expect(checkGoDuration('renewBefore', duration)).toMatchObject([
      { code: 'duration-refused', cause: 'go', parameters: { field: 'renewBefore', most: 9_223_372_036_854, example } },
    ]);
    expect(() => goDuration(duration)).toThrow(RangeError);
    expect(() => goDuration(duration)).toThrow(/^duration is .* milliseconds long\. /);
  });

  test('accepts all other durations', () => {
    fc.assert(
      fc.property(milliseconds, (amount) => {
        expect(checkGoDuration('duration', Duration.millis(amount))).toEqual([]);
      }),
    );
  });
});
