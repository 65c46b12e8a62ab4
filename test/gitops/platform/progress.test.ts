import { isProgressShown, ProgressDisplay, type ProgressMoment, progressLine } from '#lib/gitops/platform/progress';

const moment = (change: Partial<ProgressMoment>): ProgressMoment => ({
  done: 3,
  total: 10,
  name: 'home',
  elapsedMs: 5_000,
  columns: 80,
  ...change,
});

test.each([
  [true, {}, true],
  [true, { TERM: 'xterm', CI: '' }, true],
  [true, { CI: 'false' }, true],
  [true, { CI: 'true' }, false],
  [true, { NO_COLOR: '1' }, false],
  [true, { TERM: 'dumb' }, false],
  [false, {}, false],
])('isProgressShown, for a terminal: %j with the environment %j, is %j', (isTerminal, environment, isShown) => {
  expect(isProgressShown({ isTerminal, environment })).toBe(isShown);
});

test('synth shows its progress after a second, and then at intervals', () => {
  expect(progressLine(moment({}), undefined)).toBe('Synthesizing 3 of 10 clusters (30 %): home');
  expect(progressLine(moment({ elapsedMs: 999 }), undefined)).toBeUndefined();
  expect(progressLine(moment({}), 4_950)).toBeUndefined();
  expect(progressLine(moment({}), 4_900)).toBeDefined();
});

test.each([0, 1, 2, 10, 41, 42, 43, 80])('a line of progress fits a terminal of width %d', (columns) => {
  const line = progressLine(moment({ columns }), undefined) ?? 'none';
  expect([...line].length).toBeLessThanOrEqual(Math.max(0, columns - 1));
});

test('a name in a line of progress contains no terminal commands', () => {
  expect(progressLine(moment({ name: 'a\u001b[2J\nb' }), undefined)).toContain('a\\u001b[2J b');
});

function display(isTTY: boolean, times: readonly number[]) {
  const written: string[] = [];
  let reads = 0;
  const now = () => times[reads++] ?? times.at(-1) ?? 0;
  return { written, of: new ProgressDisplay({ isTTY, columns: 0, write: (text) => written.push(text) }, {}, now) };
}

test('synth clears its progress at the end, and writes nothing if it showed none', () => {
  const { written, of } = display(true, [0, 500, 1_500]);
  of.show(0, 2, 'a');
  of.clear();
  expect(written).toEqual([]);
  of.show(1, 2, 'b');
  of.clear();
  of.clear();
  expect(written).toEqual(['\r\u001b[2KSynthesizing 1 of 2 clusters (50 %): b', '\r\u001b[2K']);
});

test('synth writes no progress to a pipe', () => {
  const { written, of } = display(false, [0, 5_000]);
  of.show(1, 2, 'b');
  of.clear();
  expect(written).toEqual([]);
});
