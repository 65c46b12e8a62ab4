import type { Informer } from '#controller-runtime/cache/informer';
import { isApiError } from '#controller-runtime/client/api-error';
import type { Controller } from '#controller-runtime/controller/controller';
import type { KubeObject } from '#controller-runtime/objects/kube-object';
import { objectKey } from '#controller-runtime/objects/kube-object';
import type { Resource } from '#controller-runtime/objects/resource';
import { isLaterVersion } from '#controller-runtime/objects/resource-version';
import type { Manager } from '#controller-runtime/process/manager';
import { ARGO_ROLLOUT_RULES, ARGO_ROLLOUTS, type ArgoRollout } from '../kinds/argo-rollout';
import { DAEMON_SET_RULES } from '../kinds/daemon-set';
import { DEPLOYMENT_RULES, type Deployment } from '../kinds/deployment';
import type { RolloutRules } from '../kinds/rollout-rules';
import { STATEFUL_SET_RULES } from '../kinds/stateful-set';
import type { Workload } from '../kinds/workload';
import { controllerOf } from '../objects/pod';
import { isArgoRollout } from '../plan/owners';

/** The workloads of the cluster, in their latest known state. */
export interface WorkloadCaches {
  watch(controller: Controller, keys: () => readonly string[]): void;
  list(): readonly Workload[];
  deployments(): readonly Deployment[];
  /** Whether a kind of workload is still being read for the first time. */
  isIncomplete(): boolean;
  /** Returns the namespaces in which a kind has not been read yet. */
  unread(): readonly string[];
  /** Stores a workload as written. */
  written(resource: Resource, object: KubeObject): void;
}

/** @param replicaSets those whose owners may be Rollouts */
export function workloadCaches(manager: Manager, replicaSets: Pick<Informer<KubeObject>, 'onChange'>): WorkloadCaches {
  const cacheOf = <W extends Workload>({ resource, slim: transform }: RolloutRules<W>): Informer<W> =>
    manager.informer<W>({ resource, transform }, 'leading');
  const [deploymentCache, statefulSetCache] = [cacheOf(DEPLOYMENT_RULES), cacheOf(STATEFUL_SET_RULES)];
  const daemonSetCache = cacheOf(DAEMON_SET_RULES);
  const kinds = [deploymentCache, statefulSetCache, daemonSetCache];
  const argoCache = rolloutCache(manager, replicaSets);

  const deployments = latest(DEPLOYMENT_RULES, deploymentCache);
  const statefulSets = latest(STATEFUL_SET_RULES, statefulSetCache);
  const daemonSets = latest(DAEMON_SET_RULES, daemonSetCache);
  const argoRollouts = latest(ARGO_ROLLOUT_RULES, argoCache);
  return {
    watch: (controller, keys) => {
      controller.watch(deploymentCache, keys);
      controller.watch(statefulSetCache, keys);
      controller.watch(daemonSetCache, keys);
      const look = (): void => {
        for (const key of keys()) controller.enqueue(key);
      };
      for (const kind of kinds) kind.onRead(look);
      argoCache.onChange(look);
    },
    list: () =>
      [deployments, statefulSets, daemonSets, argoRollouts].flatMap(({ list }): readonly Workload[] => list()),
    deployments: deployments.list,
    isIncomplete: argoCache.isIncomplete,
    unread: () => kinds.flatMap((kind) => kind.unread()),
    written: (resource, object) => {
      for (const kind of [deployments, statefulSets, daemonSets, argoRollouts]) kind.written(resource, object);
    },
  };
}

function latest<W extends Workload>(rules: RolloutRules<W>, cache: { list(): readonly W[] }) {
  const ours = writtenObjects<W>();
  return {
    list: (): readonly W[] => ours.over(cache.list()),
    written: (resource: Resource, object: KubeObject): void => {
      if (resource === rules.resource) ours.add(rules.slim({ ...object, kind: resource.kind } as W));
    },
  };
}

/** Objects that the operator wrote and a cache has not seen yet. Without them, a plan could depend on old states. */
interface WrittenObjects<T extends KubeObject> {
  /** Stores an object as written. */
  add(object: T): void;
  /** Returns the objects of a cache, each in its latest known state. */
  over(cached: readonly T[]): readonly T[];
}

/** Creates an empty store of written objects. */
export function writtenObjects<T extends KubeObject>(): WrittenObjects<T> {
  const written = new Map<string, T>();
  return {
    add: (object) => void written.set(objectKey(object), object),
    over: (cached) => {
      if (written.size === 0) return cached;
      const latest = cached.map((object) => {
        const ours = written.get(objectKey(object));
        const isNews =
          ours?.metadata.uid === object.metadata.uid &&
          isLaterVersion(ours?.metadata.resourceVersion, object.metadata.resourceVersion);
        return ours !== undefined && isNews ? ours : object;
      });
      // Objects that the cache has caught up with, or that are gone, are dropped.
      const needed = new Set<KubeObject>(latest);
      for (const [key, object] of written) if (!needed.has(object)) written.delete(key);
      return latest;
    },
  };
}

/** A cache that may not exist yet. */
interface LateCache<T extends KubeObject> {
  list(): readonly T[];
  /** Calls the handler on each change, and when the cache is complete. */
  onChange(handler: () => void): void;
  /** Whether the cache exists and is not complete. */
  isIncomplete(): boolean;
}

/** The milliseconds after which an unreadable kind counts as empty. */
const READING_MS = 60_000;

/**
 * Creates the cache of Rollouts when the first ReplicaSet of one appears: clusters without Argo Rollouts are never
 * queried for them. Any tenant may create a ReplicaSet with such an owner, so nothing waits long for the cache.
 */
function rolloutCache(manager: Manager, replicaSets: Pick<Informer<KubeObject>, 'onChange'>): LateCache<ArgoRollout> {
  const handlers: (() => void)[] = [];
  let rollouts: Informer<ArgoRollout> | undefined;
  let isGivenUp = false;
  const tell = (): void => {
    for (const handler of handlers) handler();
  };
  const giveUp = (): void => {
    isGivenUp = true;
    tell();
  };
  replicaSets.onChange(({ object }) => {
    const owner = controllerOf(object);
    if (rollouts !== undefined || owner === undefined || !isArgoRollout(owner)) return;
    rollouts = manager.informer<ArgoRollout>(
      { resource: ARGO_ROLLOUTS, transform: ARGO_ROLLOUT_RULES.slim },
      'optional',
    );
    rollouts.onChange(tell);
    void rollouts.whenSynced(new AbortController().signal).then(tell);
    setTimeout(giveUp, READING_MS).unref();
    void isUnknown(manager, object.metadata.namespace).then((isAbsent) => isAbsent && giveUp());
  });
  return {
    list: () => rollouts?.list() ?? [],
    onChange: (handler) => void handlers.push(handler),
    isIncomplete: () => rollouts !== undefined && !isGivenUp && !rollouts.hasSynced(),
  };
}

/** Whether the API server serves no Rollouts. It answers this only to clients that may list Rollouts there. */
async function isUnknown({ client }: Manager, namespace: string | undefined): Promise<boolean> {
  try {
    await client.list(ARGO_ROLLOUTS, { namespace, metadataOnly: true, fieldSelector: 'metadata.name=none' });
    return false;
  } catch (error) {
    return isApiError(error, 404);
  }
}
