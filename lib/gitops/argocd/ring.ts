import type { Problem } from '#base/findings/problem';
import { checkDnsLabel } from '#kubernetes/names';
import { BOOLEAN, FREE, keysOf } from '#kubernetes/options/known-keys';
import type { GivenRelease } from '#linkerd/releases/release';
import { ARGOCD_FINDINGS } from './findings';
import { checkPath, checkRevision } from './git-source';
import { RING_HEALTH, type RingHealth } from './ring-health';

/**
 * A group of clusters that get a change together, after the rings before it. Each cluster names its ring.
 *
 * `name` alone holds nothing back. `revision` or `path` holds a change back until you promote it. A RollingSync of a
 * fleet holds it back until earlier rings are healthy. `release` sets the Linkerd release of the ring.
 */
export interface Ring<Name extends string = string> {
  /** Name of the ring: a DNS label. The Applications of its clusters have it as a label. */
  readonly name: Name;

  /**
   * Branch, tag or commit that Argo CD follows for the clusters of the ring. They get a change when the branch or tag
   * moves.
   *
   * @default - that of the Platform
   */
  readonly revision?: string;

  /**
   * Folder in the repository from which Argo CD reads the clusters of the ring, instead of the output itself. They get
   * a change when `--promote RING` has copied their output to this folder, and you have committed it. Rings may share a
   * folder, but no folder may be inside another ring's.
   *
   * @default - that of the Platform: the output itself
   */
  readonly path?: string;

  /**
   * Linkerd release of the ring's clusters, unless a cluster or a construct sets another one.
   *
   * @default - the newest one that the library supports
   */
  readonly release?: GivenRelease;

  /**
   * Let Argo CD sync the clusters of the ring automatically. With `false`, each change waits for a manual sync, and
   * Argo CD neither repairs nor prunes. A RollingSync of a fleet still syncs the ring, after the rings before it.
   *
   * @default true
   */
  readonly automated?: boolean;

  /**
   * When the clusters of the ring count as healthy, so that a change may be promoted to the next ring
   * (`cdk8s-linkerd status --ring RING --wait 2h`).
   *
   * @default - if no cluster has errors
   */
  readonly health?: RingHealth;
}

/** The keys of Ring. */
export const RING = keysOf<Ring>({
  name: true,
  revision: true,
  path: true,
  release: FREE,
  automated: BOOLEAN,
  health: RING_HEALTH,
});

/** A ring's Argo CD settings, with its clusters. */
export interface RingClusters extends Pick<Ring, 'name' | 'revision' | 'path' | 'automated'> {
  /** Names of the clusters. */
  readonly clusters: readonly string[];
}

/** The label of an Application for the ring of its cluster. */
export const RING_LABEL = 'cdk8s-linkerd/ring';

/** Reports invalid rings; `path` is the folder of the output, which rings without a path use. */
export function checkRings(rings: readonly Ring[], path = 'dist'): readonly Problem[] {
  const names = rings.map(({ name }) => name);
  const repeated = new Set(names.filter((name, index) => names.indexOf(name) !== index));
  return [
    ...[...new Set(names)].flatMap((name) => checkDnsLabel('The name of a ring', name)),
    ...[...repeated].map((name) => ARGOCD_FINDINGS.ringRefusedRepeated({ name })),
    ...rings.flatMap(checkRingSource),
    ...checkNesting(rings, path),
  ];
}

function checkRingSource({ name, revision, path }: Ring): readonly Problem[] {
  const of = ` of the ring ${name}`;
  return [...checkRevision(`revision${of}`, revision), ...checkPath(`path${of}`, path)];
}

function checkNesting(rings: readonly Ring[], output: string): readonly Problem[] {
  const paths = [...new Set([output, ...rings.map(({ path = output }) => path)])].sort();
  return paths.flatMap((outer) => {
    const inner = paths.find((path) => path !== outer && (outer === '' || path.startsWith(`${outer}/`)));
    if (inner === undefined) return [];
    return [ARGOCD_FINDINGS.ringRefusedNested({ inner, outer, example: `promoted/${rings.at(-1)?.name}` })];
  });
}
