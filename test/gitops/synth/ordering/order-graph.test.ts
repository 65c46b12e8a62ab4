import { cycleText, findDependencyCycle, type OrderTree, orderGraph } from '#lib/gitops/synth/ordering/order-graph';
import { SyncOrder } from '#lib/gitops/synth/ordering/sync-order';

const NOTHING: ReadonlySet<number> = new Set();

/** A root (0) with components 1 and 2; 1 has the objects 3 and 4, 2 has the object 5. */
const PARENTS = [-1, 0, 0, 1, 1, 2];

describe('stages', () => {
  test('of a component end with its last object', () => {
    const graph = orderGraph({ parents: PARENTS, dependencies: [[4, 3]], first: NOTHING });
    expect([new SyncOrder(graph).stageOf(1), new SyncOrder(graph).lastStageOf(1)]).toEqual([0, 1]);
  });
});

describe('findDependencyCycle', () => {
  const cycleOf = (dependencies: OrderTree['dependencies']) =>
    findDependencyCycle(orderGraph({ parents: PARENTS, dependencies, first: NOTHING }));

  test('finds components that depend on their own parts', () => expect(cycleOf([[1, 3]])).toEqual([1]));
});

describe('a cycle as text', () => {
  const PATHS = ['home', 'home/a', 'home/b', 'home/b/c'];
  const text = (cycle: readonly number[], ...dependencies: readonly (readonly [number, number])[]) =>
    cycleText(cycle, { parents: [-1, 0, 0, 2], dependencies }, PATHS);

  test('names a component that waits for its parent', () => {
    expect(text([3], [3, 2])).toBe('home/b/c -> home/b (which contains home/b/c)');
  });

  test('names the parent of a component that waits', () => {
    expect(text([1, 3], [1, 2], [3, 1])).toBe('home/a -> home/b (which contains home/b/c) -> home/a');
  });

  test('names the component instead of its part', () => {
    expect(text([1, 2], [1, 3], [2, 1])).toBe('home/a -> home/b -> home/a');
  });
});
