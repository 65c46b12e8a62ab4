import type { Warning } from '../../kubernetes/findings/warning';
import type { ClusterDefinition } from '../synth/build-cluster';
import { ARGOCD } from './findings';

/** Warns of the address of a cluster in a fleet: Argo CD's own list of clusters has the addresses there. */
export function unusedDestination({
  name,
  props: { destination },
}: Pick<ClusterDefinition, 'name' | 'props'>): readonly Warning[] {
  if (destination?.server === undefined) return [];
  return [ARGOCD.destinationUnused({ cluster: name, server: destination.server })];
}
