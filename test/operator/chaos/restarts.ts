import { CONFIG_ANNOTATION } from '#operator/api/names';
import type { Cluster } from '../../support/cluster/cluster';
import type { KubeObject } from '../../support/cluster/objects';
import { type WorkloadKind, workloadRef } from '../../support/operator/meshed-workloads';

/** Kinds whose history Kubernetes keeps. */
export const KEPT: readonly WorkloadKind[] = ['Deployment', 'StatefulSet', 'DaemonSet'];

/**
 * The configurations that a workload of a namespace was restarted with, one for each time, by its history: a restart is
 * a new template, which Kubernetes keeps as a ReplicaSet or a ControllerRevision.
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
  // The hash of the configuration comes first, then the time from which all injectors had it.
  return template.metadata.annotations?.[CONFIG_ANNOTATION]?.split('.')[0];
}
