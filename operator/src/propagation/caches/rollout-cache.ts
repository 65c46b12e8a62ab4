import type { Informer } from '#controller-runtime/cache/informer';
import { isApiError } from '#controller-runtime/client/api-error';
import type { KubeObject } from '#controller-runtime/objects/kube-object';
import type { Manager } from '#controller-runtime/process/manager';
import { ARGO_ROLLOUT_RULES, ARGO_ROLLOUTS, type ArgoRollout } from '../kinds/argo-rollout';
import { controllerOf } from '../objects/pod';
import { isArgoRollout } from '../plan/owners';

/** A cache that may not exist yet. */
export interface LateCache<T extends KubeObject> {
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
 * queried for them. Anyone may create a ReplicaSet with such an owner, so nothing waits for it.
 */
export function rolloutCache(
  manager: Manager,
  replicaSets: Pick<Informer<KubeObject>, 'onChange'>,
): LateCache<ArgoRollout> {
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

/** Whether the API server does not know Rollouts. It answers only clients that may list them in the namespace. */
async function isUnknown({ client }: Manager, namespace: string | undefined): Promise<boolean> {
  try {
    await client.list(ARGO_ROLLOUTS, { namespace, metadataOnly: true, fieldSelector: 'metadata.name=none' });
    return false;
  } catch (error) {
    return isApiError(error, 404);
  }
}
