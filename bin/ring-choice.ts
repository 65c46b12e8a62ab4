import { INDEX_FILE, parseIndex } from '#lib/gitops/synth/output/cluster-index';
import type { Output } from '#lib/review/compare/output';
import { Misuse } from './terminal';

/**
 * Returns the names of the clusters in a ring. The later output decides. For a cluster that it lacks, or with a damaged
 * index, the earlier output decides.
 *
 * @throws Misuse if the ring has no clusters
 */
export function clustersInRing(ring: string, before: Output, after: Output): ReadonlySet<string> {
  const indexIn = (output: Output, name: string) => parseIndex(output.get(name)?.get(INDEX_FILE) ?? '');
  const ringOf = (name: string) => {
    const later = indexIn(after, name);
    // A damaged index, such as after a merge, must not hide the cluster from the plan of its promotion.
    return later.damage === undefined ? later.ring : indexIn(before, name).ring;
  };
  const all = new Set([...after.keys(), ...before.keys()]);
  const names = new Set([...all].filter((name) => ringOf(name) === ring));
  if (names.size === 0) throw new Misuse(`--ring ${ring}: the ring has no clusters`);
  return names;
}

/**
 * Returns both outputs, restricted to the clusters of a ring.
 *
 * @throws Misuse if the ring has no clusters
 */
export function inRing(
  ring: string,
  before: Output,
  after: Output,
): { readonly before: Output; readonly after: Output } {
  const names = clustersInRing(ring, before, after);
  const chosen = (output: Output) => new Map([...output].filter(([name]) => names.has(name)));
  return { before: chosen(before), after: chosen(after) };
}
