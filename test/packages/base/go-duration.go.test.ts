import fc from 'fast-check';
import { goDurationMs, goDurationNanoseconds } from '#base/go-duration';
import { askOracle } from '../../support/oracle';

describe('goDurationMs', () => {
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
  ])('reads %s as %d ms', (text, amount) => expect(goDurationMs(text)).toBe(amount));

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
  ])('refuses "%s"', (text) => expect(goDurationMs(text)).toBeUndefined());

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
      error === undefined ? BigInt(String(value)) : undefined,
    );
    const differences = texts.filter((text, index) => goDurationNanoseconds(text) !== expected[index]);

    expect(differences).toEqual([]);
    expect(expected.filter((amount) => amount !== undefined).length).toBeGreaterThan(2_000);
  });
});
