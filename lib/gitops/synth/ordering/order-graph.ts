import { type Digraph, findCycle } from './digraph';

/** The order of a construct tree: constructs by number, parents before children. */
export interface OrderTree {
  /** The parent of each construct; -1 for the root. */
  readonly parents: readonly number[];
  /** Pairs of a construct and its dependency, which must be in the cluster first; each includes everything below it. */
  readonly dependencies: readonly (readonly [dependent: number, dependency: number])[];
  /** Leaves that always come first (namespaces, CRDs), whatever their parents depend on. */
  readonly first: ReadonlySet<number>;
}

/**
 * Returns a graph with two nodes for each construct, its beginning and its end: a construct begins after its parent
 * began, ends after its children ended, and begins after the end of what it depends on. So a dependency between two
 * components costs one edge, however many objects they have.
 */
export function orderGraph({ parents, dependencies, first }: OrderTree): Digraph {
  const graph: number[][] = parents.flatMap(() => [[], []]);
  const connect = (from: number, to: number) => graph[from]?.push(to);
  parents.forEach((parent, construct) => {
    connect(beginning(construct), end(construct));
    if (parent === -1 || first.has(construct)) return;
    connect(beginning(parent), beginning(construct));
    connect(end(construct), end(parent));
  });
  for (const [dependent, dependency] of dependencies) {
    if (!first.has(dependent)) connect(end(dependency), beginning(dependent));
  }
  return graph;
}

/** Returns the node of a construct's beginning. */
export function beginning(construct: number): number {
  return 2 * construct;
}

/** Returns the node of a construct's end. */
export function end(construct: number): number {
  return 2 * construct + 1;
}

/** Whether an edge is a dependency: from an end to a beginning. Only these edges lead to another stage. */
export function isDependency(from: number, to: number): boolean {
  return from % 2 === 1 && to % 2 === 0;
}

/** Returns the constructs of a dependency cycle in the order of `dependsOn`, if there is one. */
export function findDependencyCycle(graph: Digraph): readonly number[] | undefined {
  const nodes = findCycle(graph);
  if (nodes === undefined) return undefined;
  const dependents = nodes.filter((node, index) => isDependency(nodes.at(index - 1) ?? node, node));
  return dependents.reverse().map((node) => node / 2);
}

/**
 * Formats a dependency cycle: `a -> b -> a`. If a construct depends on a parent of the next one in the cycle, the
 * parent is named, too: otherwise a component that depends on its parent would seem to depend on itself.
 *
 * @param cycle the constructs that depend, in the order of `dependsOn`
 */
export function cycleText(
  cycle: readonly number[],
  { parents, dependencies }: Pick<OrderTree, 'parents' | 'dependencies'>,
  paths: readonly string[],
): string {
  const [first = -1] = cycle;
  const isWithin = (inner: number, outer: number): boolean =>
    inner === outer || (inner !== -1 && isWithin(parents[inner] ?? -1, outer));
  const steps = cycle.map((dependent, index) => {
    const next = cycle[index + 1] ?? first;
    const targets = dependencies.filter(([from]) => from === dependent).map(([, to]) => to);
    const around = targets.includes(next) ? undefined : targets.find((to) => isWithin(next, to));
    return around === undefined ? paths[next] : `${paths[around]} (which contains ${paths[next]})`;
  });
  return [paths[first], ...steps].join(' -> ');
}
