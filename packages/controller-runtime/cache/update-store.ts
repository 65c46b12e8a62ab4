import { type KubeObject, objectKey } from '../objects/kube-object';
import { isLaterVersion } from '../objects/resource-version';
import type { Change, Store } from './store';

/** Updates the store with an object's state from a watch. A known state, or an older one, is no change. */
export function putObject<T extends KubeObject>(store: Store<T>, object: T): readonly Change<T>[] {
  const old = store.get(objectKey(object));
  if (old !== undefined && !isLaterVersion(object.metadata.resourceVersion, old.metadata.resourceVersion)) return [];
  return replaceObject(store, object);
}

/** Removes an object from the store after a watch reported its deletion; `object` is its last state. */
export function removeObject<T extends KubeObject>(store: Store<T>, object: T): readonly Change<T>[] {
  const key = objectKey(object);
  const old = store.get(key);
  if (old === undefined || isLaterVersion(old.metadata.resourceVersion, object.metadata.resourceVersion)) return [];
  store.delete(key);
  return [{ type: 'deleted', object }];
}

/**
 * Updates the store with a complete list. The list is a consistent read, so it is right where the store differs, even
 * if the store seems to be ahead: then the cluster's data was restored from a backup.
 */
export function replaceAll<T extends KubeObject>(store: Store<T>, objects: readonly T[]): readonly Change<T>[] {
  const listed = new Set(objects.map(objectKey));
  const changes: Change<T>[] = [];
  for (const key of store.keys()) {
    const old = store.get(key);
    if (old === undefined || listed.has(key)) continue;
    store.delete(key);
    changes.push({ type: 'deleted', object: old });
  }
  for (const object of objects) {
    const old = store.get(objectKey(object));
    if (old === undefined || !isSameState(old, object)) changes.push(...replaceObject(store, object));
  }
  return changes;
}

function replaceObject<T extends KubeObject>(store: Store<T>, object: T): readonly Change<T>[] {
  const key = objectKey(object);
  const old = store.get(key);
  store.set(key, object);
  if (old === undefined) return [{ type: 'added', object }];
  if (old.metadata.uid === object.metadata.uid) return [{ type: 'updated', object, old }];
  // The same name, but another object: the deletion of the first one was not seen.
  return [
    { type: 'deleted', object: old },
    { type: 'added', object },
  ];
}

function isSameState(one: KubeObject, other: KubeObject): boolean {
  return one.metadata.uid === other.metadata.uid && one.metadata.resourceVersion === other.metadata.resourceVersion;
}
