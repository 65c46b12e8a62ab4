import type { ClusterSummary, RingShare } from './model';

/** The parts of rings that some clusters are. */
export function ringShares(
  clusters: readonly string[],
  all: ReadonlyMap<string, ClusterSummary>,
): readonly RingShare[] {
  const sizes = countsOf([...all.values()].map(({ ring }) => ring));
  const parts = countsOf(clusters.map((name) => all.get(name)?.ring));
  return [...parts].map(([ring, count]) => ({ ring, clusters: count, of: sizes.get(ring) ?? count }));
}

function countsOf(rings: readonly (string | undefined)[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const ring of rings) if (ring !== undefined) counts.set(ring, (counts.get(ring) ?? 0) + 1);
  return counts;
}
