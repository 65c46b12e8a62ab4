import { Cron } from 'cdk8s';
import fc from 'fast-check';
import { checkCron } from '../../lib/kubernetes/cron';
import { askOracle } from '../support/oracle';

test.each([
  ...['* * * * *', '25 */6 * * *', '0 0 1 JAN mon', '0-30/5,45 1,2 ? * sun-sat', '@hourly', '@daily', '@every 1h30m'],
  ...[Cron.schedule({ minute: '25', hour: '*/6' }).expressionString, Cron.weekly().expressionString],
])('%s is a schedule', (expression) => {
  expect(checkCron('schedule', expression)).toEqual([]);
});

test.each([
  ['60 * * * *', '"60" is no minute (values go from 0 to 59)'],
  ['* 24 * * *', '"24" is no hour (values go from 0 to 23)'],
  ['* * 0 * *', '"0" is no day of the month (values go from 1 to 31)'],
  ['* * * 13 *', '"13" is no month (values go from 1 to 12)'],
  ['* * * * 7', '"7" is no day of the week (values go from 0 to 6)'],
  ['* * * * monday', '"monday" is no day of the week (it is neither a number nor a name)'],
  ['30-10 * * * *', '"30-10" is no minute (its end comes before its start)'],
  ['1-2-3 * * * *', '"1-2-3" is no minute (it has more than two bounds)'],
  ['*/0 * * * *', '"*/0" is no minute ("0" is no positive step)'],
  ['*/5/5 * * * *', '"*/5/5" is no minute (it has more than one step)'],
  ['25 */6 * *', 'it has 4 fields instead of 5'],
  ['0 25 */6 * * *', 'it has 6 fields instead of 5'],
  ['x', 'it has 1 field instead of 5'],
  ['', 'it has 0 fields instead of 5'],
  ['@fortnightly', 'it is no known shorthand'],
  [' @daily', 'it has 1 field instead of 5'],
  ['@every10h', 'it is no known shorthand'],
  ['@every 1d', '"1d" is no duration such as 6h or 1h30m'],
])('"%s" is none', (expression, fault) => {
  const [problem, ...more] = checkCron('schedule', expression);
  expect(more).toEqual([]);
  expect(problem?.what).toBe(`schedule is "${expression}": ${fault}`);
  expect(problem?.fix).toContain('25 */6 * * *');
});

test('all faults of an expression are reported', () => {
  const [problem] = checkCron('schedule', '61 25 * * *');
  expect(problem?.what).toContain('"61" is no minute');
  expect(problem?.what).toContain('"25" is no hour');
});

test.each(['TZ=UTC 0 0 * * *', 'CRON_TZ=Europe/Berlin 0 0 * * *', '0 0 * * TZ'])(
  'the time zone of "%s" belongs into its own field',
  (expression) => {
    expect(checkCron('schedule', expression)[0]).toMatchObject({
      code: 'cron-expression-refused',
      parameters: { field: 'schedule', expression, faults: 'it names a time zone' },
    });
  },
);

test('accepts and refuses what Kubernetes does', () => {
  const atom = fc.oneof(
    fc.nat({ max: 70 }).map(String),
    fc.constantFrom(
      '*',
      '?',
      'jan',
      'DEC',
      'Sun',
      'sat',
      'sunday',
      '',
      '+5',
      '007',
      '-1',
      '1.5',
      '0x1',
      '9223372036854775808',
    ),
  );
  const range = fc.oneof(
    { weight: 3, arbitrary: atom },
    { weight: 3, arbitrary: fc.array(atom, { minLength: 2, maxLength: 3 }).map((bounds) => bounds.join('-')) },
  );
  const step = fc.constantFrom(
    '',
    '',
    '',
    '/1',
    '/5',
    '/0',
    '/',
    '/x',
    '/*',
    '/-1',
    '/+2',
    '/9223372036854775807',
    '/9223372036854775808',
    '/1/2',
  );
  const field = fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom('*', '0', '1', '*/2', '1-5', '1,2') },
    { weight: 3, arbitrary: fc.tuple(range, step).map((parts) => parts.join('')) },
    {
      weight: 1,
      arbitrary: fc
        .array(
          fc.tuple(range, step).map((parts) => parts.join('')),
          { maxLength: 3 },
        )
        .map((list) => list.join(',')),
    },
  );
  const space = fc.constantFrom(
    ' ',
    ' ',
    ' ',
    '  ',
    '\t',
    '\n',
    '\u0085',
    '\u00a0',
    '\u2003',
    '\u3000',
    '\ufeff',
    '\u200b',
  );
  const fields = fc
    .array(fc.tuple(field, space), { minLength: 5, maxLength: 5 })
    .map((pairs) => pairs.flat().slice(0, -1).join(''));
  const descriptor = fc.constantFrom(
    ...[
      '@yearly',
      '@annually',
      '@monthly',
      '@weekly',
      '@daily',
      '@midnight',
      '@hourly',
      '@Daily',
      '@daily ',
      '@',
      '@reboot',
    ],
    ...[
      '@every 1h',
      '@every -1h',
      '@every 0',
      '@every',
      '@every ',
      '@every  1h',
      '@every 1.5h',
      '@every 1d',
      '@every 24',
    ],
    ...[
      'TZ=0',
      'TZ=UTC * * * * *',
      'CRON_TZ=UTC @daily',
      '',
      ' ',
      ', , , , ,',
      '* * * * * *',
      '* * * *',
      '* * * * *\n',
    ],
  );
  const expression = fc.oneof({ weight: 9, arbitrary: fields }, { weight: 1, arbitrary: descriptor });
  const texts = fc.sample(expression, { numRuns: 20_000, seed: 1 });

  const accepted = askOracle('cron', texts).map(({ error }) => error === undefined);
  const differences = texts.filter((text, index) => (checkCron('schedule', text).length === 0) !== accepted[index]);

  expect(differences).toEqual([]);
  expect(accepted.filter((isAccepted) => isAccepted).length).toBeGreaterThan(2_000);
});
