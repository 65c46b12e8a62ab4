import { cycleText } from '../../../../lib/gitops/synth/ordering/cycle-text';

const PATHS = ['home', 'home/a', 'home/b', 'home/b/c'];
const PARENTS = [-1, 0, 0, 2];
const text = (cycle: readonly number[], ...dependencies: readonly (readonly [number, number])[]) =>
  cycleText(cycle, { parents: PARENTS, dependencies }, PATHS);

test('components that wait for each other', () => {
  expect(text([1, 2], [1, 2], [2, 1])).toBe('home/a -> home/b -> home/a');
});

test('a component that waits for the one that it is part of', () => {
  expect(text([3], [3, 2])).toBe('home/b/c -> home/b (which contains home/b/c)');
});

test('the component around one that waits', () => {
  expect(text([1, 3], [1, 2], [3, 1])).toBe('home/a -> home/b (which contains home/b/c) -> home/a');
});

test('a part of a component that waits', () => {
  expect(text([1, 2], [1, 3], [2, 1])).toBe('home/a -> home/b -> home/a');
});
