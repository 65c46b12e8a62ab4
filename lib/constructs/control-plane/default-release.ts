import type { IConstruct } from 'constructs';
import { DEFAULT_LINKERD_VERSION, type LinkerdVersion } from '#linkerd/releases/known-releases';
import { type GivenRelease, type Release, releaseOf } from '#linkerd/releases/release';
import { Cluster } from '../../gitops/tree/cluster';
import { propOfVersion } from '../../gitops/tree/prop-of-shape';

/**
 * Returns the Linkerd release of a construct: that of its props, else of its cluster or the cluster's ring, else the
 * newest known one.
 *
 * @throws PropsError for an unknown release
 */
export function propOfRelease<V extends LinkerdVersion>(
  scope: IConstruct,
  given: GivenRelease<V> | undefined,
): Release<V> {
  const by = (Cluster.find(scope)?.release ?? DEFAULT_LINKERD_VERSION) as GivenRelease<V>;
  return propOfVersion(scope, () => releaseOf(given ?? by));
}
