import type { Informer, InformerOptions } from '#controller-runtime/cache/informer';
import type { Controller } from '#controller-runtime/controller/controller';
import { NAMESPACES, POD_DISRUPTION_BUDGETS, PODS, REPLICA_SETS } from '#controller-runtime/objects/built-in-resources';
import type { KubeObject } from '#controller-runtime/objects/kube-object';
import type { Resource } from '#controller-runtime/objects/resource';
import type { Manager } from '#controller-runtime/process/manager';
import { RECONCILE_AUTO } from '#linkerd/annotation-values';
import { ADMISSION_WEBHOOKS, INJECT, RECONCILE } from '#linkerd/annotations';
import { workloadId } from '../kinds/workload';
import { type PodDisruptionBudget, slimBudget } from '../objects/disruption-budget';
import { type Pod, slimPod } from '../objects/pod';
import { slimMetadata } from '../objects/slim-metadata';
import type { ClusterView } from '../plan/cluster-view';
import { workloadCaches } from './workload-caches';

/** The caches behind plans. */
export interface PropagationCaches {
  watch(controller: Controller, keys: () => readonly string[]): void;
  /** @param injectorId the id of the injector's workload */
  view(injectorId: string): Omit<ClusterView, 'rejections'>;
  /** Makes the view show a workload as written, before a watch does. */
  written(resource: Resource, object: KubeObject): void;
}

const OPT_IN = `${RECONCILE}=${RECONCILE_AUTO}`;

/** Creates caches of everything that plans depend on. They keep only the fields that are read. */
export function propagationCaches(manager: Manager, linkerdNamespace: string): PropagationCaches {
  // Only the leader restarts workloads and needs these caches, which are large.
  const cache = <T extends KubeObject>(options: InformerOptions<T>) => manager.informer<T>(options, 'leading');
  const metadata = { metadataOnly: true, transform: slimObject };
  const namespaces = cache<KubeObject>({ resource: NAMESPACES, ...metadata, transform: slimNamespace });
  const pods = cache<Pod>({ resource: PODS, labelSelector: OPT_IN, transform: slimPod });
  const injectorPods = cache<Pod>({ resource: PODS, namespace: linkerdNamespace, transform: slimPod });
  const replicaSets = cache<KubeObject>({ resource: REPLICA_SETS, labelSelector: OPT_IN, ...metadata });
  const budgets = cache<PodDisruptionBudget>({ resource: POD_DISRUPTION_BUDGETS, transform: slimBudget });
  const workloads = workloadCaches(manager, replicaSets);
  const unread = (): ReadonlySet<string> =>
    new Set([...[pods, replicaSets, budgets].flatMap((it) => it.unread()), ...workloads.unread()]);
  return {
    watch: (controller, keys) => {
      const watch = <T extends KubeObject>(cache: Informer<T>) => {
        controller.watch(cache, keys);
        cache.onRead(() => {
          for (const key of keys()) controller.enqueue(key);
        });
      };
      watch(namespaces);
      watch(pods);
      watch(injectorPods);
      watch(replicaSets);
      watch(budgets);
      workloads.watch(controller, keys);
    },
    view: (injectorId) => {
      const read = outside(unread());
      return {
        namespaces: namespaces.list(),
        pods: read(pods.list()),
        replicaSets: read(replicaSets.list()),
        workloads: read(workloads.list()),
        isIncomplete: workloads.isIncomplete(),
        budgets: read(budgets.list()),
        injector: workloads.deployments().find((deployment) => workloadId(deployment) === injectorId),
        injectorPods: injectorPods.list(),
      };
    },
    written: workloads.written,
  };
}

/**
 * Returns a filter that removes objects in these namespaces. While some objects of a namespace are unread, such as its
 * disruption budgets, none of its workloads restarts.
 */
function outside(namespaces: ReadonlySet<string>): <T extends KubeObject>(objects: readonly T[]) => readonly T[] {
  if (namespaces.size === 0) return (objects) => objects;
  return (objects) => objects.filter(({ metadata }) => !namespaces.has(metadata.namespace ?? ''));
}

function slimNamespace({ apiVersion, kind, metadata }: KubeObject): KubeObject {
  const label = metadata.labels?.[ADMISSION_WEBHOOKS];
  const labels = label === undefined ? {} : { labels: { [ADMISSION_WEBHOOKS]: label } };
  return { apiVersion, kind, metadata: { ...slimMetadata(metadata, [INJECT]), ...labels } };
}

function slimObject({ apiVersion, kind, metadata }: KubeObject): KubeObject {
  return { apiVersion, kind, metadata: slimMetadata(metadata) };
}
