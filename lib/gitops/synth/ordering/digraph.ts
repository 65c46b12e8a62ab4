/** A directed graph over the nodes 0 … n-1: the successors of each node. */
export type Digraph = readonly (readonly number[])[];

/** Returns the graph with every edge reversed. */
export function reversed(graph: Digraph): Digraph {
  const turned: number[][] = graph.map(() => []);
  graph.forEach((successors, node) => {
    for (const successor of successors) turned[successor]?.push(node);
  });
  return turned;
}

/** Returns all nodes reachable from `starts`, including these. */
export function reachableFrom(graph: Digraph, starts: Iterable<number>): ReadonlySet<number> {
  const reached = new Set(starts);
  for (const node of reached) for (const successor of graph[node] ?? []) reached.add(successor);
  return reached;
}

/**
 * Returns for each node the length of the longest path that ends there, in linear time (Kahn's topological order);
 * `undefined` for nodes on a cycle and for all nodes that can be reached from it.
 */
export function longestPaths(graph: Digraph, lengthOf: (from: number, to: number) => number): (number | undefined)[] {
  const waitingFor = new Uint32Array(graph.length);
  for (const successors of graph)
    for (const successor of successors) waitingFor[successor] = at(waitingFor, successor) + 1;
  const longest: number[] = graph.map(() => 0);
  const ready = graph.flatMap((_, node) => (waitingFor[node] === 0 ? [node] : []));
  for (const node of ready) {
    for (const successor of graph[node] ?? []) {
      longest[successor] = Math.max(at(longest, successor), at(longest, node) + lengthOf(node, successor));
      waitingFor[successor] = at(waitingFor, successor) - 1;
      if (waitingFor[successor] === 0) ready.push(successor);
    }
  }
  return longest.map((length, node) => (waitingFor[node] === 0 ? length : undefined));
}

/** Returns the nodes along some cycle; undefined in a graph without cycles. */
export function findCycle(graph: Digraph): readonly number[] | undefined {
  const order = longestPaths(graph, () => 1);
  const start = order.indexOf(undefined);
  if (start === -1) return undefined;
  // A waiting node has a waiting predecessor: going backwards ends in a cycle.
  const predecessors = reversed(graph);
  const path: number[] = [];
  const positions = new Map<number, number>();
  let node = start;
  while (!positions.has(node)) {
    positions.set(node, path.length);
    path.push(node);
    node = predecessors[node]?.find((predecessor) => order[predecessor] === undefined) ?? node;
  }
  return path.slice(positions.get(node)).reverse();
}

/**
 * Returns the strongly connected component of each node, as a number. Components are numbered so that no edge leads
 * from a higher number to a lower one (Kosaraju's two passes, without recursion, as dependency chains can be long).
 */
export function components(graph: Digraph): readonly number[] {
  const component: number[] = graph.map(() => -1);
  const backwards = reversed(graph);
  let count = 0;
  for (const root of finishingOrder(graph).reverse()) {
    if (component[root] !== -1) continue;
    const pending = [root];
    component[root] = count;
    for (const node of pending) {
      for (const next of backwards[node] ?? []) {
        if (component[next] !== -1) continue;
        component[next] = count;
        pending.push(next);
      }
    }
    count += 1;
  }
  return component;
}

function finishingOrder(graph: Digraph): number[] {
  const finished: number[] = [];
  const next: number[] = graph.map(() => -1);
  for (const root of graph.keys()) {
    if (next[root] !== -1) continue;
    const path = [root];
    next[root] = 0;
    for (let node = path.at(-1); node !== undefined; node = path.at(-1)) {
      const successor = graph[node]?.[at(next, node)];
      next[node] = at(next, node) + 1;
      if (successor === undefined) {
        finished.push(node);
        path.pop();
      } else if (next[successor] === -1) {
        next[successor] = 0;
        path.push(successor);
      }
    }
  }
  return finished;
}

function at(numbers: { readonly [index: number]: number | undefined }, index: number): number {
  return numbers[index] ?? 0;
}
