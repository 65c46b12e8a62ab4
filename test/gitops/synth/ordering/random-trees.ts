import fc from 'fast-check';
import type { OrderTree } from '#lib/gitops/synth/ordering/order-graph';

/** A tree whose objects and charts are spread over folders. */
export interface RandomTree {
  readonly order: OrderTree;
  /** The numbers of objects in each folder. */
  readonly objects: readonly (readonly number[])[];
  readonly releases: readonly (readonly number[])[];
}

const dependsOn = fc.array(fc.nat(30), { maxLength: 2 });
const leaf = fc.record({
  folder: fc.nat(3),
  kind: fc.constantFrom('object', 'object', 'release', 'namespace'),
  dependsOn,
});
const component = fc.record({ leaves: fc.array(leaf, { maxLength: 4 }), dependsOn });

/**
 * Random trees without cycles: a list of components with leaves in any folders. Components and leaves depend only on
 * earlier components and leaves.
 */
export const randomTrees: fc.Arbitrary<RandomTree> = fc
  .record({ folders: fc.integer({ min: 1, max: 4 }), components: fc.array(component, { maxLength: 8 }) })
  .map(({ folders, components }) => {
    const parents = [-1];
    const first = new Set<number>();
    const objects: number[][] = Array.from({ length: folders }, () => []);
    const releases: number[][] = Array.from({ length: folders }, () => []);
    const earlier: number[] = [];
    const dependencies: [number, number][] = [];
    const depend = (dependent: number, indexes: readonly number[]) => {
      for (const index of indexes) {
        const dependency = earlier[index % Math.max(earlier.length, 1)];
        if (dependency !== undefined) dependencies.push([dependent, dependency]);
      }
    };
    for (const { leaves, dependsOn } of components) {
      const number = parents.push(0) - 1;
      depend(number, dependsOn);
      const numbers = leaves.map(({ folder, kind, dependsOn }) => {
        const leaf = parents.push(number) - 1;
        depend(leaf, dependsOn);
        (kind === 'release' ? releases : objects)[folder % folders]?.push(leaf);
        if (kind === 'namespace') first.add(leaf);
        return leaf;
      });
      earlier.push(number, ...numbers);
    }
    return { order: { parents, dependencies, first }, objects, releases };
  });

/**
 * Returns a predicate: must one leaf follow another? True if the leaf, or a component that contains it, depends on a
 * node that contains the other leaf or a leaf that must follow it.
 */
export function mustFollow({ parents, dependencies, first }: OrderTree): (later: number, earlier: number) => boolean {
  const known = new Map<string, boolean>();
  const around = (node: number): number[] =>
    node === -1 ? [] : [node, ...(first.has(node) ? [] : around(parents[node] ?? -1))];
  const within = parents.map((_, holder) => [...parents.keys()].filter((node) => around(node).includes(holder)));
  function follows(later: number, earlier: number): boolean {
    const key = `${later} ${earlier}`;
    const answer = known.get(key) ?? (!first.has(later) && around(later).some((node) => isBehind(node, earlier)));
    known.set(key, answer);
    return answer;
  }
  function isBehind(node: number, earlier: number): boolean {
    return dependencies.some(
      ([dependent, on]) =>
        dependent === node && within[on]?.some((inside) => inside === earlier || follows(inside, earlier)),
    );
  }
  return follows;
}
