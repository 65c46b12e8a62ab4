import { type Finding, findingsAt } from '#base/findings/finding';
import { compareReleases, lineOf, linesBetween } from '#linkerd/releases/lines';
import type { Warning } from '../warnings';
import { FLEET_RELEASE_FINDINGS } from './findings';

/** A cluster with its release, for comparison with others. */
export interface ClusterRelease {
  readonly name: string;
  readonly ring?: string;
  /** Release of its control plane; absent if it has none. */
  readonly release?: string;
  /** Names of the clusters to which it has links. */
  readonly links: readonly string[];
}

/**
 * Warns about rings with a newer release than earlier rings, and about links between distant releases.
 *
 * @param rings - names, in the order of changes
 */
export function checkFleetReleases(clusters: readonly ClusterRelease[], rings: readonly string[]): readonly Finding[] {
  return [...findingsAt('platform', checkOrder(clusters, rings)), ...checkLinks(clusters)];
}

interface Newest {
  readonly ring: string;
  readonly cluster: string;
  readonly release: string;
}

function checkOrder(clusters: readonly ClusterRelease[], rings: readonly string[]): readonly Warning[] {
  const byRing = new Map<string, Newest>();
  for (const { name, ring, release } of clusters) {
    if (ring === undefined || release === undefined) continue;
    const known = byRing.get(ring);
    if (known === undefined || compareReleases(known.release, release) < 0) {
      byRing.set(ring, { ring, cluster: name, release });
    }
  }
  const ordered = rings.flatMap((ring) => byRing.get(ring) ?? []);
  return ordered.flatMap((later, index) => {
    const behind = ordered.slice(0, index).find(({ release }) => compareReleases(release, later.release) < 0);
    return behind === undefined ? [] : [overtaken(behind, later)];
  });
}

function overtaken(earlier: Newest, later: Newest): Warning {
  return FLEET_RELEASE_FINDINGS.ringOutOfOrder({
    later: later.ring,
    laterRelease: later.release,
    laterCluster: later.cluster,
    earlier: earlier.ring,
    earlierRelease: earlier.release,
    earlierCluster: earlier.cluster,
  });
}

function checkLinks(clusters: readonly ClusterRelease[]): readonly Finding[] {
  const releases = new Map(clusters.map(({ name, release }) => [name, release]));
  return clusters.flatMap(({ name, release, links }) =>
    links.flatMap((target) => {
      const other = releases.get(target);
      if (release === undefined || other === undefined || linesBetween(release, other).length === 0) return [];
      const [line, targetLine] = [String(lineOf(release)), String(lineOf(other))];
      const linked = { cluster: name, release, line, target, targetRelease: other, targetLine };
      return findingsAt(name, [FLEET_RELEASE_FINDINGS.linkVersionSkew(linked)]);
    }),
  );
}
