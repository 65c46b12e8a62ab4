import fc from 'fast-check';
import {
  components,
  type Digraph,
  findCycle,
  longestPaths,
  reachableFrom,
  reversed,
} from '#lib/gitops/synth/ordering/digraph';

/** Random graphs of up to nine nodes, small enough for brute force. */
const graphs: fc.Arbitrary<Digraph> = fc
  .integer({ min: 1, max: 9 })
  .chain((size) => fc.array(fc.uniqueArray(fc.nat(size - 1), { maxLength: 3 }), { minLength: size, maxLength: size }));

/** Random graphs without cycles: each edge leads to a higher number. */
const acyclic = graphs.map((graph) =>
  graph.map((successors, node) => successors.filter((successor) => successor > node)),
);

function allPathsTo(graph: Digraph, target: number): number[][] {
  const predecessors = reversed(graph)[target] ?? [];
  return [[target], ...predecessors.flatMap((node) => allPathsTo(graph, node).map((path) => [...path, target]))];
}

describe('longestPaths', () => {
  test('finds the longest of all paths', () => {
    fc.assert(
      fc.property(acyclic, fc.integer({ min: 1, max: 7 }), (graph, seed) => {
        const lengthOf = (from: number, to: number) => (from * seed + to) % 5;
        const length = (path: readonly number[]) =>
          path.slice(1).reduce((sum, node, index) => sum + lengthOf(path[index] ?? 0, node), 0);
        const expected = graph.map((_, node) => Math.max(...allPathsTo(graph, node).map(length)));
        expect(longestPaths(graph, lengthOf)).toEqual(expected);
      }),
    );
  });

  test('handles a chain of 200,000 nodes', () => {
    const chain = Array.from({ length: 200_000 }, (_, node) => (node < 199_999 ? [node + 1] : []));
    expect(longestPaths(chain, () => 1).at(-1)).toBe(199_999);
  });
});

describe('findCycle', () => {
  test('finds a cycle exactly if the graph has a cycle', () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        const cycle = findCycle(graph);
        const hasCycle = graph.some((successors, node) => reachableFrom(graph, successors).has(node));
        expect(cycle !== undefined).toBe(hasCycle);
        cycle?.forEach((node, index) => {
          expect(graph[node]).toContain(cycle[(index + 1) % cycle.length]);
        });
      }),
    );
  });
});

describe('components', () => {
  test('puts two nodes into one component if and only if each can be reached from the other', () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        const component = components(graph);
        const reach = graph.map((_, node) => reachableFrom(graph, [node]));
        graph.forEach((_, a) => {
          graph.forEach((_, b) => {
            expect(component[a] === component[b]).toBe(reach[a]?.has(b) === true && reach[b]?.has(a) === true);
          });
        });
      }),
    );
  });

  test('orders components so that no edge leads to a lower one', () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        const component = components(graph);
        graph.forEach((successors, node) => {
          for (const successor of successors) {
            expect(component[successor]).toBeGreaterThanOrEqual(component[node] ?? 0);
          }
        });
      }),
    );
  });

  test('handles a chain of 200,000 nodes', () => {
    const chain = Array.from({ length: 200_000 }, (_, node) => (node < 199_999 ? [node + 1] : []));
    expect(components(chain).at(-1)).toBe(199_999);
  });
});
