import { isInWindow, nextWindow } from '#operator/src/anchor/observe/windows';

/** 2026-11-22 is a Sunday. */
const at = (text: string): number => Date.parse(`2026-11-${text}:00Z`);

test('without maintenance windows, a rotation may start at any time', () => {
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
])('whether a window on Sundays from 02:00 for 4h contains 2026-11-%s: %s', (time, isIn) => {
  expect(isInWindow([{ days: ['Sun'], start: '02:00', duration: '4h' }], at(time))).toBe(isIn);
});

test('a maintenance window without days begins every day', () => {
  expect(isInWindow([{ start: '12:00', duration: '1h' }], at('25T12:30'))).toBe(true);
});

test('the next maintenance window is the earliest future one', () => {
  const windows = [
    { days: ['Tue' as const], start: '02:00', duration: '1h' },
    { days: ['Mon' as const, 'Sun' as const], start: '02:00', duration: '1h' },
  ];
  expect(nextWindow(windows, at('22T12:00'))).toBe(at('23T02:00'));
  expect(nextWindow(windows, at('23T02:00'))).toBe(at('24T02:00'));
});
