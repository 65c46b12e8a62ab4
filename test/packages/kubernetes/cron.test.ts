import { Cron } from 'cdk8s';
import { checkCron } from '#kubernetes/cron';
import { facts } from '../../support/findings';

test.each([
  ...['* * * * *', '25 */6 * * *', '0 0 1 JAN mon', '0-30/5,45 1,2 ? * sun-sat', '@hourly', '@daily', '@every 1h30m'],
  ...[Cron.schedule({ minute: '25', hour: '*/6' }).expressionString, Cron.weekly().expressionString],
])('checkCron accepts the schedule %s', (expression) => expect(checkCron('schedule', expression)).toEqual([]));

test.each([
  ['60 * * * *', { finding: 'out-of-range', part: 'minute', range: '60', min: 0, max: 59 }],
  ['* 24 * * *', { finding: 'out-of-range', part: 'hour', range: '24', min: 0, max: 23 }],
  ['* * 0 * *', { finding: 'out-of-range', part: 'day of the month', range: '0', min: 1, max: 31 }],
  ['* * * 13 *', { finding: 'out-of-range', part: 'month', range: '13', min: 1, max: 12 }],
  ['* * * * 7', { finding: 'out-of-range', part: 'day of the week', range: '7', min: 0, max: 6 }],
  ['* * * * monday', { finding: 'value', part: 'day of the week', range: 'monday' }],
  ['0-70 * * * *', { finding: 'out-of-range', part: 'minute', range: '0-70', min: 0, max: 59 }],
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
])('checkCron refuses the schedule "%s": %j', (expression, { finding, ...parameters }) => {
  expect(checkCron('schedule', expression).map(facts)).toEqual([
    { finding: `cron-expression-refused/${finding}`, field: 'schedule', expression, ...parameters },
  ]);
});

test('checkCron reports each wrong field of a schedule', () => {
  expect(checkCron('schedule', '61 25 * * *').map(facts)).toMatchObject([
    { part: 'minute', range: '61' },
    { part: 'hour', range: '25' },
  ]);
});
