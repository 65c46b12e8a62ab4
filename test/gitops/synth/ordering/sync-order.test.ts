import fc from 'fast-check';
import { orderGraph } from '#lib/gitops/synth/ordering/order-graph';
import { SyncOrder } from '#lib/gitops/synth/ordering/sync-order';
import { runs } from '#test/support/depth';
import { mustFollow, type RandomTree, randomTrees } from './random-trees';

function wavesOfAll({ order, objects, releases }: RandomTree): readonly ReadonlyMap<number, number>[] {
  const graph = orderGraph(order);
  const syncOrder = new SyncOrder(graph);
  return objects.map((inFolder, folder) =>
    syncOrder.wavesOf({ objects: inFolder, releases: releases[folder] ?? [], first: order.first }),
  );
}

/** Calls `check` for each folder of random trees. */
function forEachFolder(
  check: (folder: {
    waves: ReadonlyMap<number, number>;
    objects: readonly number[];
    releases: readonly number[];
    follows: (later: number, earlier: number) => boolean;
    first: ReadonlySet<number>;
  }) => void,
): void {
  fc.assert(
    fc.property(randomTrees, (tree) => {
      const follows = mustFollow(tree.order);
      wavesOfAll(tree).forEach((waves, folder) => {
        const [objects = [], releases = []] = [tree.objects[folder], tree.releases[folder]];
        check({ waves, objects, releases, follows, first: tree.order.first });
      });
    }),
    { numRuns: runs(500) },
  );
}

describe('waves, in any tree', () => {
  test('put no object before an object that it depends on', () => {
    forEachFolder(({ waves, objects, follows }) => {
      for (const later of objects) {
        for (const earlier of objects) {
          if (follows(later, earlier)) expect(waves.get(later)).toBeGreaterThanOrEqual(waves.get(earlier) ?? 0);
        }
      }
    });
  });

  test('separate an object from its dependency, unless both are between charts of the folder', () => {
    forEachFolder(({ waves, objects, releases, follows }) => {
      const isBetween = (object: number) =>
        releases.some((release) => follows(release, object)) && releases.some((release) => follows(object, release));
      for (const later of objects) {
        for (const earlier of objects) {
          if (!follows(later, earlier) || (isBetween(later) && isBetween(earlier))) continue;
          expect(waves.get(later)).toBeGreaterThan(waves.get(earlier) ?? 0);
        }
      }
    });
  });

  test.each([
    { isNeeded: true, needs: false, side: [-1], where: 'before the charts' },
    { isNeeded: true, needs: true, side: [0], where: 'with the charts' },
    { isNeeded: false, needs: true, side: [1], where: 'after the charts' },
    { isNeeded: false, needs: false, side: [0, 1], where: 'not before the charts' },
  ])('put objects $where if charts need them: $isNeeded, and they need charts: $needs', ({ isNeeded, needs, side }) => {
    const sides = new Set<number>();
    forEachFolder(({ waves, objects, releases, follows, first }) => {
      const chosen = objects
        .filter((object) => !first.has(object))
        .filter((object) => releases.some((release) => follows(release, object)) === isNeeded)
        .filter((object) => releases.some((release) => follows(object, release)) === needs);
      for (const object of chosen) sides.add(Math.sign(waves.get(object) ?? Number.NaN));
    });
    expect([...sides].sort()).toEqual(side);
  });

  test('put namespaces and CRDs first', () => {
    forEachFolder(({ waves, objects, first }) => {
      const lowest = Math.min(...waves.values());
      for (const object of objects) if (first.has(object)) expect(waves.get(object)).toBe(lowest);
    });
  });
});

describe('waves', () => {
  /** Returns the waves of a folder with objects 1 to n, each of which depends on its predecessor. */
  function chain(length: number, releases: readonly number[], first: readonly number[] = []): readonly number[] {
    const numbers = Array.from({ length }, (_, index) => index + 1);
    const graph = orderGraph({
      parents: [-1, ...numbers.map(() => 0)],
      dependencies: numbers.slice(1).map((number) => [number, number - 1] as const),
      first: new Set(first),
    });
    const objects = numbers.filter((number) => !releases.includes(number));
    const waves = new SyncOrder(graph).wavesOf({ objects, releases, first: new Set(first) });
    return objects.map((object) => waves.get(object) ?? Number.NaN);
  }

  test('put objects between two charts into wave 0 of charts', () => expect(chain(5, [2, 4])).toEqual([-1, 0, 1]));
});

describe('an object that must precede its folder', () => {
  /** Returns the waves of 1, which must precede the folder, and of 2 and 3; 3 depends on 2. */
  function waves(releases: readonly number[]): readonly (number | undefined)[] {
    const graph = orderGraph({ parents: [-1, 0, 0, 0], dependencies: [[3, 2]], first: new Set([1]) });
    const objects = [1, 2, 3].filter((number) => !releases.includes(number));
    const folder = { objects, releases, first: new Set([1]), ahead: new Set([1]) };
    return objects.map((object) => new SyncOrder(graph).wavesOf(folder).get(object));
  }

  test('has a wave before all others, whose waves do not change', () => expect(waves([])).toEqual([-1, 0, 1]));

  test('comes before charts', () => expect(waves([2])).toEqual([-1, 1]));

  test('comes after its dependencies, and with namespaces that may contain it', () => {
    // 1: a namespace. 2 and 3: ahead; 3 depends on 2, and 2 on 6. 4: depends on 6. 5: no dependencies.
    const dependencies = [
      [2, 6],
      [3, 2],
      [4, 6],
    ] as const;
    const first = new Set([1]);
    const graph = orderGraph({ parents: [-1, 0, 0, 0, 0, 0, 0], dependencies, first });
    const waves = new SyncOrder(graph).wavesOf({
      objects: [1, 2, 3, 4, 5],
      releases: [],
      first,
      ahead: new Set([2, 3]),
    });
    expect([1, 2, 3, 4, 5].map((object) => waves.get(object))).toEqual([-3, -2, -1, 1, 0]);
  });
});
