import fc from 'fast-check';
import { checkCron } from '#kubernetes/cron';
import { scheduleGaps } from '#kubernetes/schedule-gaps';
import { askOracle } from '../../support/oracle';

test('the computed gaps of a schedule cover all runs of Kubernetes', () => {
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
    // If a schedule sets only minutes and hours, all its gaps occur within two days.
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
