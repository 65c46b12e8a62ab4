import { DAY, HOUR, MINUTE } from '#base/time-units';
import { moment, span, ticks, window } from '#lib/review/report/page/time';

test.each([
  [0, '0 s'],
  [20_000, '20 s'],
  [90 * MINUTE, '1 h 30 min'],
  [25 * HOUR, '1 d 1 h'],
  [335 * DAY + 21 * HOUR + 5, '335 d 21 h'],
  [3285 * DAY, '9 y'],
  [3300 * DAY, '9 y 15 d'],
  [-2 * DAY, '\u22122 d'],
])('a page prints %d ms as %s', (time, text) => expect(span(time)).toBe(text));

test.each([
  [48 * HOUR, '48 h'],
  [25 * HOUR, '25 h'],
  [7 * DAY, '7 d'],
  [3650 * DAY, '3650 d'],
])('a page prints a window of %d ms as %s', (time, text) => expect(window(time)).toBe(text));

test('a page prints times as dates, or as spans without a calendar', () => {
  expect(moment(DAY, { issued: Date.UTC(2026, 0, 1), origin: 0 })).toBe('2026-01-02 00:00');
  expect(moment(3 * DAY, { origin: DAY })).toBe('+2 d');
  expect(moment(0, { origin: DAY })).toBe('\u22121 d');
});

test.each([
  [0, 10 * 365 * DAY, 8],
  [0, 365 * DAY, 8],
  [0, 14 * DAY, 8],
  [0, DAY, 3],
  [0, HOUR, 12],
  [3 * DAY, 3 * DAY + 7 * MINUTE, 6],
])('a page has a few ordered ticks in an axis from %d to %d', (from, to, most) => {
  for (const issued of [undefined, Date.UTC(2026, 10, 22, 3)]) {
    const found = ticks(from, to, most, { origin: from, ...(issued !== undefined && { issued }) });
    expect(found.length).toBeGreaterThan(0);
    expect(found.length).toBeLessThanOrEqual(most + 2);
    expect(found.every(({ at, label }) => at >= from && at <= to && label !== '')).toBe(true);
    expect(found.map(({ at }) => at)).toEqual(found.map(({ at }) => at).toSorted((a, b) => a - b));
  }
});

test('a page labels years by number, at their first day', () => {
  const issued = Date.UTC(2026, 5, 1);
  const labels = ticks(0, 3650 * DAY, 8, { issued, origin: 0 }).map(({ label }) => label);
  expect(labels).toEqual(['2028', '2030', '2032', '2034', '2036']);
});
