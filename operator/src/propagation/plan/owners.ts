import { type KubeObject, type OwnerReference, objectKey } from '#controller-runtime/objects/kube-object';
import { workloadId } from '../kinds/workload';
import { controllerOf, isAlive, isInjected, type Pod } from '../objects/pod';
import { type ClusterView, excludedNamespaces } from './cluster-view';

/** The pods that request restarts, by workload. */
export interface OwnedPods {
  /** Pods by the id of their workload. */
  readonly managed: ReadonlyMap<string, readonly Pod[]>;
  /** Ids of the workloads with an injected pod. */
  readonly injected: ReadonlySet<string>;
  /** Pods that no controller would recreate with another proxy. */
  readonly unmanaged: readonly Pod[];
}

/** Sorts pods by their workloads, in batches. */
export interface PodSorter {
  /** Adds the ReplicaSets of pods that are added later. */
  addOwners(replicaSets: readonly KubeObject[]): void;
  /** Adds pods, except those that have ended or are excluded from injection, and the injector's own. */
  add(pods: readonly Pod[]): void;
  readonly owned: OwnedPods;
}

/** Creates a sorter for the pods of a view. */
export function podSorter(view: Pick<ClusterView, 'namespaces' | 'injector'>): PodSorter {
  const excluded = excludedNamespaces(view.namespaces);
  const replicaSets = new Map<string, KubeObject>();
  const injector = view.injector && workloadId(view.injector);
  const managed = new Map<string, Pod[]>();
  const injected = new Set<string>();
  const unmanaged: Pod[] = [];
  const addOwned = (owner: string, pod: Pod): void => {
    add(managed, owner, pod);
    if (isInjected(pod)) injected.add(owner);
  };
  return {
    owned: { managed, injected, unmanaged },
    addOwners: (sets) => {
      for (const set of sets) replicaSets.set(objectKey(set), set);
    },
    add: (pods) => {
      for (const pod of pods.filter((it) => isAlive(it) && !excluded.has(it.metadata.namespace ?? ''))) {
        const owner = workloadOf(pod, replicaSets);
        if (owner === undefined) unmanaged.push(pod);
        else if (owner !== injector) addOwned(owner, pod);
      }
    },
  };
}

/** Returns the id of a pod's workload, from its controller or the controller of its ReplicaSet, if there is one. */
function workloadOf(pod: Pod, replicaSets: ReadonlyMap<string, KubeObject>): string | undefined {
  const { namespace } = pod.metadata;
  let owner = controllerOf(pod);
  if (owner !== undefined && isOf(owner, 'ReplicaSet', 'apps')) {
    const replicaSet = replicaSets.get(`${namespace}/${owner.name}`);
    owner = replicaSet && controllerOf(replicaSet);
    if (owner !== undefined && !isOf(owner, 'Deployment', 'apps') && !isArgoRollout(owner)) return undefined;
  } else if (owner !== undefined && !isOf(owner, 'StatefulSet', 'apps') && !isOf(owner, 'DaemonSet', 'apps')) {
    return undefined;
  }
  return owner && workloadId({ kind: owner.kind, metadata: { name: owner.name, namespace } });
}

/** Whether an owner is a Rollout of Argo Rollouts. */
export function isArgoRollout(owner: OwnerReference): boolean {
  return isOf(owner, 'Rollout', 'argoproj.io');
}

function isOf({ apiVersion, kind }: OwnerReference, wantedKind: string, group: string): boolean {
  return kind === wantedKind && apiVersion.startsWith(`${group}/`);
}

function add(managed: Map<string, Pod[]>, owner: string, pod: Pod): void {
  const pods = managed.get(owner);
  if (pods === undefined) managed.set(owner, [pod]);
  else pods.push(pod);
}
