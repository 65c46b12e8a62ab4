import { CONFIG_ANNOTATION } from '#operator/api/names';
import type { Cluster } from '../../support/cluster/cluster';
import type { KubeObject } from '../../support/cluster/objects';
import { type WorkloadKind, workloadRef } from '../../support/operator/meshed-workloads';

/** The kinds whose templates Kubernetes keeps as revisions. */
export const KEPT: readonly WorkloadKind[] = ['Deployment', 'StatefulSet', 'DaemonSet'];

/**
 * The configurations with which a workload restarted, in order. Kubernetes keeps the template of each restart as a
 * ReplicaSet or a ControllerRevision.
 */
export async function restartsOf(cluster: Cluster, namespace: string, kind: WorkloadKind): Promise<string[]> {
  const { metadata } = await cluster.get(workloadRef(kind, namespace));
  const history = await cluster.list('apps/v1', kind === 'Deployment' ? 'ReplicaSet' : 'ControllerRevision', {
    namespace,
  });
  const own = history.filter((revision) => revision.metadata.ownerReferences?.some(({ uid }) => uid === metadata.uid));
  return own.flatMap((revision) => hashOf(revision) ?? []);
}

function hashOf({ spec, data }: KubeObject): string | undefined {
  const { template } = (data ?? { spec }).spec;
  // The annotation contains the hash of the configuration, and the time from which all injectors have it.
  return template.metadata.annotations?.[CONFIG_ANNOTATION]?.split('.')[0];
}
