import { type KubeObject, objectKey } from '../../runtime/objects/kube-object';
import { isLaterVersion } from '../../runtime/objects/resource-version';

/** Objects that the operator wrote and a cache has not seen yet. Without them, a plan could count on old states. */
export interface WrittenObjects<T extends KubeObject> {
  /** Remembers an object as a write left it. */
  add(object: T): void;
  /** The objects of a cache, each in its latest known state. */
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
      // What the cache has caught up with, or what is gone, is forgotten.
      const needed = new Set<KubeObject>(latest);
      for (const [key, object] of written) if (!needed.has(object)) written.delete(key);
      return latest;
    },
  };
}
