import type { KubeObject } from './objects';

/**
 * The reason why a Deployment, StatefulSet or DaemonSet has not rolled out its spec, by the rules of `kubectl rollout
 * status`; `undefined` if it has.
 */
export function rolloutGap({ kind, metadata, spec, status = {} }: KubeObject): string | undefined {
  if ((status.observedGeneration ?? 0) < (metadata.generation ?? 0))
    return 'its controller has not seen the last change';
  const [wanted, updated, ready] =
    kind === 'DaemonSet'
      ? [status.desiredNumberScheduled, status.updatedNumberScheduled, status.numberReady]
      : [spec.replicas ?? 1, status.updatedReplicas, status.readyReplicas];
  if ((updated ?? 0) !== wanted) return `${updated ?? 0} of ${wanted} pods are updated`;
  if ((ready ?? 0) !== wanted) return `${ready ?? 0} of ${wanted} pods are ready`;
  if (kind === 'Deployment' && status.replicas !== wanted) return `${status.replicas} pods, old ones among them`;
  if (kind === 'StatefulSet' && status.currentRevision !== status.updateRevision) return 'old pods are left';
  return undefined;
}
