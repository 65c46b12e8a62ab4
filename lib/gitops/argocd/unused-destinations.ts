import type { Warning } from '../../kubernetes/findings/warning';
import type { ClusterDefinition } from '../synth/build-cluster';

/** Warns of the address of a cluster in a fleet: Argo CD's own list of clusters has the addresses there. */
export function unusedDestination({
  name,
  props: { destination },
}: Pick<ClusterDefinition, 'name' | 'props'>): readonly Warning[] {
  if (destination?.server === undefined) return [];
  return [
    {
      code: 'destination-unused',
      what: `destination.server of the cluster ${name} is "${destination.server}", which is not used, as fleet is set`,
      why: 'A fleet goes by the clusters that are registered in Argo CD: to the address of the one that is called like the folder',
      // The same for all clusters, so that the report has it once.
      fix: 'remove destination, and see that `argocd cluster list` has the cluster, by its name, with that address',
    },
  ];
}
