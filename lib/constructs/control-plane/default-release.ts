import type { IConstruct } from 'constructs';
import { Cluster } from '../../gitops/tree/cluster';
import { DEFAULT_LINKERD_VERSION, type GivenRelease, type LinkerdVersion } from '../../linkerd/releases/release';

/**
 * Returns the Linkerd release of a construct without one: that of its cluster or the cluster's ring, else the newest
 * known one. Its type is that of the newest one.
 */
export function defaultRelease<V extends LinkerdVersion>(scope: IConstruct): GivenRelease<V> {
  return (Cluster.find(scope)?.release ?? DEFAULT_LINKERD_VERSION) as GivenRelease<V>;
}
