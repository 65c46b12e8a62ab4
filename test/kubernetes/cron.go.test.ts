import { Cron } from 'cdk8s';
import fc from 'fast-check';
import { checkCron } from '#lib/kubernetes/cron';
import { facts } from '../support/findings';
import { askOracle } from '../support/oracle';

test.each([
  ...['* * * * *', '25 */6 * * *', '0 0 1 JAN mon', '0-30/5,45 1,2 ? * sun-sat', '@hourly', '@daily', '@every 1h30m'],
  ...[Cron.schedule({ minute: '25', hour: '*/6' }).expressionString, Cron.weekly().expressionString],
])('%s is a schedule', (expression) => {
  expect(checkCron('schedule', expression)).toEqual([]);
});

test.each([
  ['60 * * * *', { finding: 'out-of-range', part: 'minute', range: '60', min: 0, max: 59 }],
  ['* 24 * * *', { finding: 'out-of-range', part: 'hour', range: '24', min: 0, max: 23 }],
  ['* * 0 * *', { finding: 'out-of-range', part: 'day of the month', range: '0', min: 1, max: 31 }],
  ['* * * 13 *', { finding: 'out-of-range', part: 'month', range: '13', min: 1, max: 12 }],
  ['* * * * 7', { finding: 'out-of-range', part: 'day of the week', range: '7', min: 0, max: 6 }],
  ['* * * * monday', { finding: 'value', part: 'day of the week', range: 'monday' }],
  ['30-10 * * * *', { finding: 'reversed', part: 'minute', range: '30-10' }],
  ['1-2-3 * * * *', { finding: 'bounds', part: 'minute', range: '1-2-3' }],
  ['*/0 * * * *', { finding: 'step', part: 'minute', range: '*/0', step: '0' }],
  ['*/5/5 * * * *', { finding: 'steps', part: 'minute', range: '*/5/5' }],
  ['25 */6 * *', { finding: 'field-count', count: 4 }],
  ['0 25 */6 * * *', { finding: 'field-count', count: 6 }],
  ['x', { finding: 'field-count', count: 1 }],
  ['', { finding: 'field-count', count: 0 }],
  ['@fortnightly', { finding: 'shorthand' }],
  [' @daily', { finding: 'field-count', count: 1 }],
  ['@every10h', { finding: 'shorthand' }],
  ['@every 1d', { finding: 'interval', interval: '1d' }],
  ['TZ=UTC 0 0 * * *', { finding: 'time-zone' }],
  ['CRON_TZ=Europe/Berlin 0 0 * * *', { finding: 'time-zone' }],
  ['0 0 * * TZ', { finding: 'time-zone' }],
])('the schedule "%s" is refused: %j', (expression, { finding, ...parameters }) => {
  expect(checkCron('schedule', expression).map(facts)).toEqual([
    { finding: `cron-expression-refused/${finding}`, field: 'schedule', expression, ...parameters },
  ]);
});

test('each wrong field of a schedule is reported', () => {
  expect(checkCron('schedule', '61 25 * * *').map(facts)).toMatchObject([
    { part: 'minute', range: '61' },
    { part: 'hour', range: '25' },
  ]);
});

test('accepts and refuses what Kubernetes does', () => {
  const atom = fc.oneof(
    fc.nat({ max: 70 }).map(String),
    fc.constantFrom(
      ...['*', '?', 'jan', 'DEC', 'Sun', 'sat', 'sunday', ''],
      ...['+5', '007', '-1', '1.5', '0x1', '9223372036854775808'],
    ),
  );
  const range = fc.oneof(
    { weight: 3, arbitrary: atom },
    { weight: 3, arbitrary: fc.array(atom, { minLength: 2, maxLength: 3 }).map((bounds) => bounds.join('-')) },
  );
  const step = fc.constantFrom(
    ...['', '', '', '/1', '/5', '/0', '/', '/x', '/*', '/-1', '/+2'],
    ...['/9223372036854775807', '/9223372036854775808', '/1/2'],
  );
  const stepped = fc.tuple(range, step).map((parts) => parts.join(''));
  const field = fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom('*', '0', '1', '*/2', '1-5', '1,2') },
    { weight: 3, arbitrary: stepped },
    { weight: 1, arbitrary: fc.array(stepped, { maxLength: 3 }).map((list) => list.join(',')) },
  );
  const space = fc.constantFrom(
    ...[' ', ' ', ' ', '  ', '\t', '\n', '\u0085', '\u00a0', '\u2003', '\u3000', '\ufeff', '\u200b'],
  );
  const fields = fc
    .array(fc.tuple(field, space), { minLength: 5, maxLength: 5 })
    .map((pairs) => pairs.flat().slice(0, -1).join(''));
  const descriptor = fc.constantFrom(
    ...['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly'],
    ...['@Daily', '@daily ', '@', '@reboot', '@every 1h', '@every -1h', '@every 0', '@every', '@every '],
    ...['@every  1h', '@every 1.5h', '@every 1d', '@every 24', 'TZ=0', 'TZ=UTC * * * * *', 'CRON_TZ=UTC @daily'],
    ...['', ' ', ', , , , ,', '* * * * * *', '* * * *', '* * * * *\n'],
  );
  const expression = fc.oneof({ weight: 9, arbitrary: fields }, { weight: 1, arbitrary: descriptor });
  const texts = fc.sample(expression, { numRuns: 20_000, seed: 1 });

  const accepted = askOracle('cron', texts).map(({ error }) => error === undefined);
  const differences = texts.filter((text, index) => (checkCron('schedule', text).length === 0) !== accepted[index]);

  expect(differences).toEqual([]);
  expect(accepted.filter((isAccepted) => isAccepted).length).toBeGreaterThan(2_000);
});
