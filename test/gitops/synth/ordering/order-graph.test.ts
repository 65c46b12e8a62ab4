import { cycleText, findDependencyCycle, type OrderTree, orderGraph } from '#lib/gitops/synth/ordering/order-graph';
import { SyncOrder } from '#lib/gitops/synth/ordering/sync-order';

const NOTHING: ReadonlySet<number> = new Set();

/** A root (0) with components 1 and 2; 1 has the objects 3 and 4, 2 has the object 5. */
const PARENTS = [-1, 0, 0, 1, 1, 2];

function stages(tree: Partial<OrderTree>): readonly number[] {
  const graph = orderGraph({ parents: PARENTS, dependencies: [], first: NOTHING, ...tree });
  return PARENTS.map((_, construct) => new SyncOrder(graph).stageOf(construct));
}

describe('stages', () => {
  test('are 0 where nothing depends on anything', () => {
    expect(stages({})).toEqual([0, 0, 0, 0, 0, 0]);
  });

  test('a component comes after all objects of the one that it depends on', () => {
    expect(
      stages({
        dependencies: [
          [4, 3],
          [2, 1],
        ],
      }),
    ).toEqual([0, 0, 2, 0, 1, 2]);
  });

  test('an object can depend on a component, and on a single object', () => {
    expect(stages({ dependencies: [[5, 1]] }).at(5)).toBe(1);
    expect(stages({ dependencies: [[5, 3]] }).at(5)).toBe(1);
  });

  test('dependencies reach through components without objects', () => {
    // 2 -> 6 (empty) -> 1
    const graph = orderGraph({
      parents: [...PARENTS, 0],
      dependencies: [
        [2, 6],
        [6, 1],
      ],
      first: NOTHING,
    });
    expect(new SyncOrder(graph).stageOf(5)).toBeGreaterThan(new SyncOrder(graph).stageOf(4));
  });

  test('what comes first is in stage 0 even below a component that depends on others', () => {
    expect(stages({ dependencies: [[2, 1]], first: new Set([5]) }).at(5)).toBe(0);
  });

  test('what comes first does not hold back its component', () => {
    expect(stages({ dependencies: [[3, 5]], first: new Set([3]) }).at(3)).toBe(0);
  });

  test('a component ends with its last object', () => {
    const graph = orderGraph({ parents: PARENTS, dependencies: [[4, 3]], first: NOTHING });
    expect([new SyncOrder(graph).stageOf(1), new SyncOrder(graph).lastStageOf(1)]).toEqual([0, 1]);
  });
});

describe('findDependencyCycle', () => {
  const cycleOf = (dependencies: OrderTree['dependencies']) =>
    findDependencyCycle(orderGraph({ parents: PARENTS, dependencies, first: NOTHING }));

  test('is undefined where every component can wait for what it depends on', () => {
    expect(
      cycleOf([
        [2, 1],
        [4, 3],
      ]),
    ).toBeUndefined();
  });

  test('names the components of a cycle, each before the one that it depends on', () => {
    const cycle =
      cycleOf([
        [1, 2],
        [2, 1],
      ]) ?? [];
    expect([...cycle].sort()).toEqual([1, 2]);
  });

  test('goes around in the order of the dependencies', () => {
    const parents = [-1, 0, 0, 0];
    const dependencies = [
      [1, 2],
      [2, 3],
      [3, 1],
    ] as const;
    const cycle = findDependencyCycle(orderGraph({ parents, dependencies, first: NOTHING })) ?? [];
    cycle.forEach((construct, index) => {
      expect(dependencies).toContainEqual([construct, cycle[(index + 1) % cycle.length]]);
    });
    expect(cycle).toHaveLength(3);
  });

  test('finds components that depend on what is inside of them', () => {
    expect(cycleOf([[1, 3]])).toEqual([1]);
  });

  test('finds objects that depend on their own component', () => {
    expect(cycleOf([[3, 1]])).toEqual([3]);
  });
});

describe('a cycle as text', () => {
  const PATHS = ['home', 'home/a', 'home/b', 'home/b/c'];
  const text = (cycle: readonly number[], ...dependencies: readonly (readonly [number, number])[]) =>
    cycleText(cycle, { parents: [-1, 0, 0, 2], dependencies }, PATHS);

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
});
