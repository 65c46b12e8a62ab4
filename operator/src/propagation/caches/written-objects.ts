import { type KubeObject, objectKey } from '../../../../packages/controller-runtime/objects/kube-object';
import { isLaterVersion } from '../../../../packages/controller-runtime/objects/resource-version';

/** Objects that the operator wrote and a cache has not seen yet. Without them, a plan could depend on old states. */
export interface WrittenObjects<T extends KubeObject> {
  /** Stores an object as written. */
  add(object: T): void;
  /** Returns the objects of a cache, each in its latest known state. */
  over(cached: readonly T[]): readonly T[];
}

/** Creates an empty memory of writes. */
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
