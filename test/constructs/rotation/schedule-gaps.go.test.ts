import fc from 'fast-check';
import { DAY, HOUR, MINUTE } from '#base/time-units';
import { scheduleGaps } from '#lib/constructs/rotation/schedule-gaps';
import { checkCron } from '#lib/kubernetes/cron';
import { askOracle } from '../../support/oracle';

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
])('%s runs every %d to %d ms', (expression, shortest, longest) => {
  expect(checkCron('schedule', expression)).toEqual([]);
  expect(scheduleGaps(expression)).toEqual({ shortest, longest });
});

test.each(['0 0 30 2 *', '0 0 31 4,6,9,11 *', ', * * * *'])('%s never runs', (expression) => {
  expect(checkCron('schedule', expression)).toEqual([]);
  expect(scheduleGaps(expression)).toBeUndefined();
});

test('no run of Kubernetes falls out of the gaps', () => {
  const expressions = fc
    .sample(schedules(), 2000)
    .filter((expression) => checkCron('schedule', expression).length === 0);
  expect(expressions.length).toBeGreaterThan(200);
  const answers = askOracle('cron-times', expressions);
  for (const [index, expression] of expressions.entries()) {
    const times = (answers[index]?.value ?? []) as readonly number[];
    const seen = times.slice(1).map((time, before) => (time - (times[before] ?? 0)) * 1000);
    const { shortest, longest } = scheduleGaps(expression) ?? { shortest: Number.NaN, longest: Number.NaN };
    expect({ expression, runs: times.length > 0 }).toEqual({ expression, runs: !Number.isNaN(longest) });
    expect({ expression, outside: seen.filter((gap) => gap < shortest || gap > longest) }).toEqual({
      expression,
      outside: [],
    });
    // Schedules of hours and minutes alone show all their gaps within two days.
    if (!expression.endsWith(' * * *') || (times.at(-1) ?? 0) - (times[0] ?? 0) < 2 * 86_400) continue;
    expect({ expression, gaps: [Math.min(...seen), Math.max(...seen)] }).toEqual({
      expression,
      gaps: [shortest, longest],
    });
  }
});

function schedules(): fc.Arbitrary<string> {
  const field = (min: number, max: number) => {
    const number = fc.integer({ min, max }).map(String);
    const span = fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom('*', '?') },
      number,
      fc.tuple(number, number).map(([a, b]) => [a, b].sort((x, y) => Number(x) - Number(y)).join('-')),
    );
    const range = fc.oneof(
      { weight: 3, arbitrary: span },
      fc.tuple(span, fc.integer({ min: 1, max: 9 })).map(([text, step]) => `${text}/${step}`),
    );
    return fc.array(range, { minLength: 1, maxLength: 2 }).map((ranges) => ranges.join(','));
  };
  return fc
    .tuple(field(0, 59), field(0, 23), field(1, 31), field(1, 12), field(0, 6))
    .map((fields) => fields.join(' '));
}
