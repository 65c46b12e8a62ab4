import { DAY, HOUR, MINUTE } from '#base/time-units';
import { checkCron } from '#kubernetes/cron';
import { scheduleGaps } from '#kubernetes/schedule-gaps';

test.each([
  ['25 */6 * * *', 6 * HOUR, 6 * HOUR],
  ['* * * * *', MINUTE, MINUTE],
  ['0 */5 * * *', 4 * HOUR, 5 * HOUR],
  ['5/20 * * * *', 20 * MINUTE, 20 * MINUTE],
  ['10/20 * * * *', 20 * MINUTE, 20 * MINUTE],
  ['5/25 * * * *', 10 * MINUTE, 25 * MINUTE],
  ['0,1 0 * * *', MINUTE, 24 * HOUR - MINUTE],
  ['0 9-17 * * mon-fri', HOUR, 2 * DAY + 16 * HOUR],
  ['0 0 1 * *', 28 * DAY, 31 * DAY],
  ['0 0 31 * *', 31 * DAY, 61 * DAY],
  ['0 0 29 2 ?', 1461 * DAY, 1461 * DAY],
  ['0 0 1 JAN *', 365 * DAY, 366 * DAY],
  ['0 0 13 * fri', DAY, 7 * DAY],
  ['0 0 */2 * *', DAY, 2 * DAY],
  ['@yearly', 365 * DAY, 366 * DAY],
  ['@annually', 365 * DAY, 366 * DAY],
  ['@monthly', 28 * DAY, 31 * DAY],
  ['@weekly', 7 * DAY, 7 * DAY],
  ['@daily', DAY, DAY],
  ['@midnight', DAY, DAY],
  ['@hourly', HOUR, HOUR],
  ['@every 90m', 90 * MINUTE, 90 * MINUTE],
  ['@every 1500ms', 1000, 1000],
  ['@every 1ns', 1000, 1000],
])('the gaps of the schedule "%s" are %d to %d ms', (expression, shortest, longest) => {
  expect(checkCron('schedule', expression)).toEqual([]);
  expect(scheduleGaps(expression)).toEqual({ shortest, longest });
});

test.each(['0 0 30 2 *', '0 0 31 4,6,9,11 *', ', * * * *'])('the schedule %j never runs', (expression) => {
  expect(checkCron('schedule', expression)).toEqual([]);
  expect(scheduleGaps(expression)).toBeUndefined();
});
