import type { ReadIndex, WrittenRing } from '../../gitops/synth/output/cluster-index';
import type { ClusterSummary, RingShare, RingSummary } from './model';

/** The rings that some clusters are of, in order: how many of each, of how many. */
export function ringShares(
  clusters: readonly string[],
  all: ReadonlyMap<string, ClusterSummary>,
  rings: readonly RingSummary[],
): readonly RingShare[] {
  const parts = countsOf(clusters.map((name) => all.get(name)?.ring));
  return rings.flatMap(({ ring, clusters: of }) => {
    const count = parts.get(ring);
    return count === undefined ? [] : [{ ring, clusters: count, of }];
  });
}

/** The rings of the clusters in the order of the platform, and when each gets what changes. */
export function ringSummaries(
  clusters: readonly ClusterSummary[],
  { rings }: Pick<ReadIndex, 'rings'>,
  isRolling: boolean,
): readonly RingSummary[] {
  const all = countsOf(clusters.map(({ ring }) => ring));
  const changed = countsOf(clusters.filter(({ state }) => state !== 'unchanged').map(({ ring }) => ring));
  const names = [...new Set([...(rings ?? []).map(({ name }) => name), ...all.keys()])].filter((name) => all.has(name));
  return names.map((ring, place) => ({
    ring,
    clusters: all.get(ring) ?? 0,
    changed: changed.get(ring) ?? 0,
    ...reachOf(rings?.find(({ name }) => name === ring)),
    ...(isRolling && place > 0 ? { rolling: true } : {}),
  }));
}

function reachOf(ring: WrittenRing | undefined): Pick<RingSummary, 'reach' | 'revision' | 'path'> {
  if (ring === undefined) return { reach: 'unknown' };
  const { revision, path } = ring;
  const at = { ...(revision === undefined ? {} : { revision }), ...(path === undefined ? {} : { path }) };
  if (path !== undefined) return { reach: 'promotion', ...at };
  return { reach: revision === undefined ? 'merge' : 'revision', ...at };
}

function countsOf(rings: readonly (string | undefined)[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const ring of rings) if (ring !== undefined) counts.set(ring, (counts.get(ring) ?? 0) + 1);
  return counts;
}
