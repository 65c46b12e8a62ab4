import type { Warning } from '../../linkerd/warnings';
import type { ClusterDefinition } from '../synth/build-cluster';
import { ARGOCD_FINDINGS } from './findings';

/** Warns of the address of a cluster in a fleet: Argo CD's own list of clusters has the addresses there. */
export function unusedDestination({
  name,
  props: { destination },
}: Pick<ClusterDefinition, 'name' | 'props'>): readonly Warning[] {
  if (destination?.server === undefined) return [];
  return [ARGOCD_FINDINGS.destinationUnused({ cluster: name, server: destination.server })];
}
