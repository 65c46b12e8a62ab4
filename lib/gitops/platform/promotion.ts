import { posix, resolve } from 'node:path';
import type { Problem } from '../../kubernetes/findings/problem';
import { suggest } from '../../kubernetes/suggest';
import type { Warning } from '../../linkerd/warnings';
import type { Ring } from '../argocd/ring';
import type { ClusterDefinition } from '../synth/build-cluster';

/** A promotion of the output of a ring's clusters to the folder that the ring is read from. */
export interface Promotion {
  /** The ring's folder on disk. */
  readonly outdir: string;
  /** Names of the ring's clusters. */
  readonly clusters: readonly string[];
  /** Names of all clusters that have a place in the ring's folder: other rings may share it. */
  readonly residents: ReadonlySet<string>;
}

/** The places of an output, on disk and in the repository. */
export interface OutputPlace {
  readonly outdir: string;
  readonly path: string;
}

/** Plans the promotion of a ring; or says why there is none. */
export function planPromotion(
  name: string,
  { rings, clusters, place }: { rings: readonly Ring[]; clusters: readonly ClusterDefinition[]; place: OutputPlace },
): Promotion | Problem {
  const ring = rings.find((each) => each.name === name);
  if (ring === undefined) return noSuchRing(name, rings);
  const { path } = ring;
  if (path === undefined || path === place.path) return withoutPath(name);
  const pathOf = new Map(rings.map((each) => [each.name, each.path]));
  const residents = clusters.filter(({ props }) => props.ring !== undefined && pathOf.get(props.ring) === path);
  return {
    // The ring's folder lies to the output's on disk as it does in the repository.
    outdir: resolve(place.outdir, posix.relative(place.path, path)),
    clusters: residents.filter(({ props }) => props.ring === name).map((each) => each.name),
    residents: new Set(residents.map((each) => each.name)),
  };
}

/**
 * Warns of packed charts that somebody put beside the output of a cluster and not beside what is promoted of it. A
 * promotion copies what a synthesis wrote, and these are of others.
 *
 * @param files paths of all files in the cluster's folder of the output, and in that of the ring
 */
export function checkCharts(
  folder: string,
  files: { readonly output: readonly string[]; readonly promoted: readonly string[] },
): readonly Warning[] {
  const there = new Set(files.promoted);
  const left = files.output.filter((path) => /^[^/]+\/charts\/[^/]+\.tgz$/.test(path) && !there.has(path));
  if (left.length === 0) return [];
  return [
    {
      code: 'promoted-without-charts',
      what: `${folder} lacks ${left.join(', ')}, which the output has beside what was written`,
      why: 'Argo CD asks the repositories of the charts for what it does not find, and without the internet syncs nothing there',
      fix: 'copy these files there in the same commit, or let charts come from a mirror',
    },
  ];
}

function noSuchRing(name: string, rings: readonly Ring[]): Problem {
  const names = rings.map((ring) => ring.name);
  const [similar] = suggest(name, names);
  return {
    code: 'promoted-ring-unknown',
    what: `There is no ring "${name}" to promote`,
    why: `The platform has ${names.join(', ') || 'none'}`,
    fix: similar === undefined ? 'name one of these' : `did you mean "${similar}"?`,
  };
}

function withoutPath(name: string): Problem {
  return {
    code: 'promoted-ring-without-path',
    what: `The ring ${name} has no folder of its own to promote to`,
    why: 'Argo CD reads its clusters from the output itself',
    fix: `give it one: { name: '${name}', path: 'promoted/${name}' }; a ring with a revision is promoted by moving that`,
  };
}
