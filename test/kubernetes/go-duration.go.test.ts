import { Duration } from 'cdk8s';
import fc from 'fast-check';
import { checkGoDuration, GO_DURATION_MAX_MS, goDuration, parseGoDuration } from '../../lib/kubernetes/go-duration';
import { askOracle } from '../support/oracle';

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
  ])('%j is written %s', (duration, text) => {
    expect(goDuration(duration)).toBe(text);
  });

  test('units that count zero are left out, the others count less than the next larger unit', () => {
    fc.assert(
      fc.property(milliseconds, (amount) => {
        expect(goDuration(Duration.millis(amount))).toMatch(
          /^(0s|(?!$)([1-9]\d*h)?(([1-9]|[1-5]\d)m)?(([1-9]|[1-5]\d)s)?([1-9]\d{0,2}ms)?)$/,
        );
      }),
    );
  });

  test('Go reads back exactly the duration', () => {
    const amounts = fc.sample(milliseconds, { numRuns: 2_000, seed: 1 });
    const answers = askOracle(
      'duration',
      amounts.map((amount) => goDuration(Duration.millis(amount))),
    );
    expect(answers.map(({ value }) => value)).toEqual(amounts.map((amount) => String(BigInt(amount) * 1_000_000n)));
  });
});

describe('durations that cannot be written', () => {
  test.each([
    ['longer than Go holds', Duration.millis(GO_DURATION_MAX_MS + 1), 'a shorter duration'],
    ['endless', Duration.days(Number.POSITIVE_INFINITY), 'a shorter duration'],
    ['finer than a millisecond', Duration.millis(0.5), 'whole milliseconds, such as Duration.millis(1)'],
    ['no number', Duration.hours(Number.NaN), 'whole milliseconds, such as Duration.millis(0)'],
  ])('%s', (_, duration, example) => {
    expect(checkGoDuration('renewBefore', duration)).toMatchObject([
      { code: 'duration-refused', cause: 'go', parameters: { field: 'renewBefore', most: 9_223_372_036_854, example } },
    ]);
    expect(() => goDuration(duration)).toThrow(RangeError);
    expect(() => goDuration(duration)).toThrow(/^duration is .* milliseconds long\. /);
  });

  test('all others can', () => {
    fc.assert(
      fc.property(milliseconds, (amount) => {
        expect(checkGoDuration('duration', Duration.millis(amount))).toEqual([]);
      }),
    );
  });
});

describe('parseGoDuration', () => {
  test.each([
    ['1.5h', 5_400_000],
    ['1h2m3s', 3_723_000],
    ['+1h', 3_600_000],
    ['-1h', -3_600_000],
    ['0', 0],
    ['-0', 0],
    ['-0h', 0],
    ['5us', 0.005],
    ['5\u00b5s', 0.005],
    ['5\u03bcs', 0.005],
    ['1ns', 1e-6],
    ['.5s', 500],
    ['1.s', 1_000],
    ['1s1h1s', 3_602_000],
  ])('%s', (text, amount) => {
    expect(parseGoDuration(text)).toBe(amount);
  });

  test.each([
    '',
    '24',
    '30d',
    '1y',
    '1w',
    'h',
    '.',
    '.s',
    '-',
    '+-1h',
    '1 h',
    ' 1h',
    '1h ',
    '1H',
    '1e3s',
    '2562048h',
    '1h1',
    '1toString',
  ])('"%s" is refused', (text) => {
    expect(parseGoDuration(text)).toBeUndefined();
  });

  test('what was written is read back', () => {
    fc.assert(
      fc.property(milliseconds, (amount) => {
        expect(parseGoDuration(goDuration(Duration.millis(amount)))).toBe(amount);
      }),
    );
  });

  test('accepts and refuses what Go does, with the same result', () => {
    const number = fc.oneof(
      { weight: 6, arbitrary: fc.nat({ max: 99 }).map(String) },
      fc.constantFrom('9223372036854775807', '9223372036854775808', '9223372036854775809', '2562047', '00', ''),
      fc.bigInt({ min: 0n, max: 2n ** 66n }).map(String),
    );
    const unit = fc.constantFrom(...'h m s ms us \u00b5s \u03bcs ns h m s ms d hm'.split(' '), '');
    const fraction = fc.oneof(
      { weight: 3, arbitrary: fc.constant('') },
      { weight: 1, arbitrary: number.map((digits) => `.${digits}`) },
    );
    const part = fc.tuple(number, fraction, unit);
    const duration = fc
      .tuple(
        fc.constantFrom('', '', '', '-', '+', ' '),
        fc.array(
          part.map((pieces) => pieces.join('')),
          { maxLength: 3 },
        ),
      )
      .map(([sign, parts]) => sign + parts.join(''));
    const wrapping = ['9223372036854775808ns9223372036854775808ns', '-9223372036854775808ns', '9223372036854775808ns'];
    const fine = [`0.${'3'.repeat(400)}h`, '.9223372036854775809h', '.9223372036854775808h'];
    const texts = [...wrapping, ...fine, ...fc.sample(duration, { numRuns: 10_000, seed: 1 })];

    const expected = askOracle('duration', texts).map(({ value, error }) =>
      error === undefined ? inMilliseconds(BigInt(String(value))) : undefined,
    );
    const differences = texts.filter((text, index) => parseGoDuration(text) !== expected[index]);

    expect(differences).toEqual([]);
    expect(expected.filter((amount) => amount !== undefined).length).toBeGreaterThan(2_000);
  });
});

function inMilliseconds(nanoseconds: bigint): number {
  return Number(nanoseconds / 1_000_000n) + Number(nanoseconds % 1_000_000n) / 1e6;
}
