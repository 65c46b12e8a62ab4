import type { OrderTree } from './order-graph';

/**
 * A dependency cycle as a reader can follow it: `a -> b -> a`. Where a construct depends on one around the next of the
 * cycle, that one is named, too: a component below the one that it depends on would seem to depend on itself.
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
