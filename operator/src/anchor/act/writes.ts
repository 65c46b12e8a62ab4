import { type KubeObject, lockedTo, objectKey } from '#controller-runtime/objects/kube-object';
import type { Resource } from '#controller-runtime/objects/resource';
import type { ActionContext } from './action-context';

interface Applied<T extends KubeObject> {
  readonly resource: Resource;
  /** As observed; undefined if there was none. */
  readonly over: KubeObject | undefined;
  readonly body: T;
  readonly subresource?: 'status';
}

/**
 * Applies an object over the version that was observed. If none was observed, and another client has created the object
 * since then, the write is a conflict.
 */
export function applyOver<T extends KubeObject>(
  { resource, over, body, subresource }: Applied<T>,
  { client, signal }: Pick<ActionContext, 'client' | 'signal'>,
): Promise<T> {
  if (over === undefined) return client.apply(resource, body, { signal });
  return client.apply(resource, lockedTo(over, body), { subresource, force: true, signal });
}

/** Deletes an object if it is still at the version that was observed. */
export async function deleteObserved(
  resource: Resource,
  observed: KubeObject,
  { client, signal }: Pick<ActionContext, 'client' | 'signal'>,
): Promise<void> {
  const { uid, resourceVersion } = observed.metadata;
  await client.delete(resource, objectKey(observed), { preconditions: { uid, resourceVersion }, signal });
}
