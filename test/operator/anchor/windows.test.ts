import { isInWindow, nextWindow } from '#operator/src/anchor/observe/windows';

/** 2026-11-22 is a Sunday. */
const at = (text: string): number => Date.parse(`2026-11-${text}:00Z`);

test('without windows, any time will do', () => {
  expect(isInWindow(undefined, at('22T12:00'))).toBe(true);
  expect(isInWindow([], at('22T12:00'))).toBe(true);
  expect(nextWindow([], at('22T12:00'))).toBeUndefined();
});

test.each([
  ['22T01:59', false],
  ['22T02:00', true],
  ['22T05:59', true],
  ['22T06:00', false],
  ['23T03:00', false],
])('a window of a day: %s', (time, isIn) => {
  expect(isInWindow([{ days: ['Sun'], start: '02:00', duration: '4h' }], at(time))).toBe(isIn);
});

test('one that begins late goes on after midnight', () => {
  const windows = [{ days: ['Sat' as const], start: '22:00', duration: '6h' }];
  expect(isInWindow(windows, at('22T03:59'))).toBe(true);
  expect(isInWindow(windows, at('22T04:00'))).toBe(false);
  expect(isInWindow(windows, at('23T03:59'))).toBe(false);
});

test('without days it begins on each', () => {
  expect(isInWindow([{ start: '12:00', duration: '1h' }], at('25T12:30'))).toBe(true);
});

test('the next one is the first of all that are to come', () => {
  const windows = [
    { days: ['Tue' as const], start: '02:00', duration: '1h' },
    { days: ['Mon' as const, 'Sun' as const], start: '02:00', duration: '1h' },
  ];
  expect(nextWindow(windows, at('22T12:00'))).toBe(at('23T02:00'));
  expect(nextWindow(windows, at('23T02:00'))).toBe(at('24T02:00'));
});
