import { DAY, HOUR, inExactUnit, inOneUnit, inUnits, MINUTE, SECOND, TIME_UNITS } from '#base/time-units';

test.each([
  [0, [], [0, 's'], [0, 'y']],
  [999, [], [0, 's'], undefined],
  [90 * MINUTE, ['1 h', '30 min'], [1, 'h'], [90, 'min']],
  [400 * DAY + 5 * SECOND, ['1 y', '35 d', '5 s'], [1, 'y'], [34_560_005, 's']],
  [48 * HOUR, ['2 d'], [2, 'd'], [2, 'd']],
])('the formatter of times prints %d ms as %j', (time, parts, one, exact) => {
  expect(inUnits(time, TIME_UNITS).map((part) => part.join(' '))).toEqual(parts);
  expect(inOneUnit(time, TIME_UNITS)).toEqual(one);
  expect(inExactUnit(time, TIME_UNITS)).toEqual(exact);
});
