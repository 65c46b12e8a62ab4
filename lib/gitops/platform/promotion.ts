import { posix, resolve } from 'node:path';
import type { Problem } from '#base/findings/problem';
import type { Warning } from '../../checks/warnings';
import type { Ring } from '../argocd/ring';
import type { ClusterDefinition } from '../synth/build-cluster';
import { PLATFORM_FINDINGS } from './findings';
import { unknownRing } from './rings';

/** A promotion of the output of a ring's clusters to the folder from which the ring is read. */
export interface Promotion {
  /** The ring's folder on disk. */
  readonly outdir: string;
  /** Names of the ring's clusters. */
  readonly clusters: readonly string[];
  /** Names of all clusters in the ring's folder, which other rings may share. */
  readonly residents: ReadonlySet<string>;
}

/** The location of an output, on disk and in the repository. */
export interface OutputPlace {
  readonly outdir: string;
  readonly path: string;
}

/** Plans the promotion of a ring, or returns the problem that prevents it. */
export function planPromotion(
  name: string,
  { rings, clusters, place }: { rings: readonly Ring[]; clusters: readonly ClusterDefinition[]; place: OutputPlace },
): Promotion | Problem {
  const ring = rings.find((each) => each.name === name);
  if (ring === undefined) {
    return unknownRing(
      name,
      rings.map((each) => each.name),
    );
  }
  const { path } = ring;
  if (path === undefined || path === place.path) return PLATFORM_FINDINGS.promotionRefusedPath({ ring: name });
  const pathOf = new Map(rings.map((each) => [each.name, each.path]));
  const residents = clusters.filter(({ props }) => props.ring !== undefined && pathOf.get(props.ring) === path);
  return {
    // On disk and in the repository, the ring's folder has the same path relative to the output.
    outdir: resolve(place.outdir, posix.relative(place.path, path)),
    clusters: residents.filter(({ props }) => props.ring === name).map((each) => each.name),
    residents: new Set(residents.map((each) => each.name)),
  };
}

/**
 * Warns about packed charts that the user added to the output of a cluster, but not to its promoted copy. A promotion
 * copies only what a synthesis wrote.
 *
 * @param files paths of all files in the cluster's folder, of the output and of the ring
 */
export function checkCharts(
  folder: string,
  files: { readonly output: readonly string[]; readonly promoted: readonly string[] },
): readonly Warning[] {
  const there = new Set(files.promoted);
  const left = files.output.filter((path) => /^[^/]+\/charts\/[^/]+\.tgz$/.test(path) && !there.has(path));
  if (left.length === 0) return [];
  return [PLATFORM_FINDINGS.promotedWithoutCharts({ folder, charts: left.join(', ') })];
}
