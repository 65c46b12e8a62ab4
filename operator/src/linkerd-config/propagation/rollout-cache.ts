import type { Informer } from '../../runtime/informer';
import type { KubeObject } from '../../runtime/kube-object';
import type { Manager } from '../../runtime/manager';
import { ARGO_ROLLOUT_RULES, ARGO_ROLLOUTS, type ArgoRollout } from './kinds/argo-rollout';
import { isArgoRollout } from './owners';
import { controllerOf } from './pod';

/** A cache that may not be there. */
export interface LateCache<T extends KubeObject> {
  list(): readonly T[];
  /** Also called when the cache is complete. */
  onChange(handler: () => void): void;
  /** Whether it is there, and not complete. */
  isIncomplete(): boolean;
}

/**
 * The Rollouts, from when the first ReplicaSet turns up that is one's: a cluster without Argo Rollouts is never asked
 * for them.
 */
export function rolloutCache(manager: Manager, replicaSets: Informer<KubeObject>): LateCache<ArgoRollout> {
  const handlers: (() => void)[] = [];
  let rollouts: Informer<ArgoRollout> | undefined;
  replicaSets.onChange(({ object }) => {
    const owner = controllerOf(object);
    if (rollouts !== undefined || owner === undefined || !isArgoRollout(owner)) return;
    rollouts = manager.informer<ArgoRollout>(
      { resource: ARGO_ROLLOUTS, transform: ARGO_ROLLOUT_RULES.slim },
      'optional',
    );
    const tell = (): void => {
      for (const handler of handlers) handler();
    };
    rollouts.onChange(tell);
    void rollouts.whenSynced(new AbortController().signal).then(tell);
  });
  return {
    list: () => rollouts?.list() ?? [],
    onChange: (handler) => void handlers.push(handler),
    isIncomplete: () => rollouts !== undefined && !rollouts.hasSynced(),
  };
}
