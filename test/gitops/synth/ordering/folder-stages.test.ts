import fc from 'fast-check';
import { orderGraph } from '#lib/gitops/synth/ordering/order-graph';
import { folderStages } from '#lib/gitops/synth/ordering/sync-order';
import { runs } from '#test/support/depth';
import { mustFollow, type RandomTree, randomTrees } from './random-trees';

/** Returns a matrix: does a folder need another one, directly or through other folders? */
function needs({ order, objects, releases }: RandomTree): boolean[][] {
  const follows = mustFollow(order);
  const leaves = objects.map((inFolder, folder) => [...inFolder, ...(releases[folder] ?? [])]);
  const direct = leaves.map((later) => leaves.map((earlier) => later.some((a) => earlier.some((b) => follows(a, b)))));
  for (const [via] of leaves.entries()) {
    for (const row of direct) {
      if (row[via]) for (const [to] of leaves.entries()) row[to] ||= direct[via]?.[to] ?? false;
    }
  }
  return direct;
}

test('a folder comes after every folder that it needs, or with it if they need each other', () => {
  fc.assert(
    fc.property(randomTrees, (tree) => {
      const leaves = tree.objects.map((objects, folder) => [...objects, ...(tree.releases[folder] ?? [])]);
      const stages = folderStages(orderGraph(tree.order), leaves);
      const need = needs(tree);
      stages.forEach((stage, a) => {
        stages.forEach((other, b) => {
          if (a === b || !need[a]?.[b]) return;
          if (need[b]?.[a]) expect(stage).toBe(other);
          else expect(stage).toBeGreaterThan(other);
        });
      });
    }),
    { numRuns: runs(500) },
  );
});

test('folders that need nothing are in stage 0, and stages have no gaps', () => {
  fc.assert(
    fc.property(randomTrees, (tree) => {
      const leaves = tree.objects.map((objects, folder) => [...objects, ...(tree.releases[folder] ?? [])]);
      const stages = folderStages(orderGraph(tree.order), leaves);
      const distinct = [...new Set(stages)].sort((a, b) => a - b);
      expect(distinct).toEqual(distinct.map((_, index) => index));
    }),
  );
});

test('a folder comes after another one because of a single dependency between their objects', () => {
  // Folder A: 1 and 4. Folder B: 2 and 3. 2 needs 1; 3 and 4 are late because of other objects.
  const graph = orderGraph({
    parents: [-1, 0, 0, 0, 0, 0, 0, 0],
    dependencies: [
      [2, 1],
      [3, 5],
      [6, 5],
      [7, 6],
      [4, 7],
    ],
    first: new Set(),
  });
  expect(
    folderStages(graph, [
      [1, 4],
      [2, 3],
    ]),
  ).toEqual([0, 1]);
});
