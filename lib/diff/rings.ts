import { INDEX_FILE } from '../synth/output/cluster-index';
import type { ClusterTexts } from './cluster-side';
import type { ClusterSummary, RingShare } from './model';

/** The ring that the index of a cluster says; undefined where it says none. */
export function ringIn(texts: ClusterTexts | undefined): string | undefined {
  const text = texts?.get(INDEX_FILE);
  if (text === undefined || !text.includes('"ring"')) return undefined;
  try {
    const { ring } = JSON.parse(text);
    return typeof ring === 'string' ? ring : undefined;
  } catch {
    return undefined;
  }
}

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
