import type { Informer } from '#controller-runtime/cache/informer';
import { type KubeObject, objectKey } from '#controller-runtime/objects/kube-object';
import type { Resource } from '#controller-runtime/objects/resource';

type Handler<T extends KubeObject> = Parameters<Informer<T>['onChange']>[0];

/** An informer with objects from the test. */
export interface MemoryInformer<T extends KubeObject> extends Informer<T> {
  put(object: T): void;
  remove(key: string): void;
  /** Marks the cache as complete. */
  sync(): void;
  /** Returns the number of registered handlers. */
  handlers(): number;
}

export function memoryInformer<T extends KubeObject>(resource: Resource): MemoryInformer<T> {
  const objects = new Map<string, T>();
  const handlers = new Set<Handler<T>>();
  const synced = Promise.withResolvers<void>();
  let hasSynced = false;
  const tell: Handler<T> = (change) => {
    for (const handler of handlers) handler(change);
  };
  return {
    resource,
    get: (key) => objects.get(key),
    list: () => [...objects.values()],
    byIndex: () => [],
    hasSynced: () => hasSynced,
    whenSynced: (signal) =>
      Promise.race([
        synced.promise,
        new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      ]),
    heardMs: () => (hasSynced ? performance.now() : undefined),
    read: () => Promise.resolve([...objects.values()]),
    unread: () => [],
    onRead: () => undefined,
    onChange: (handler) => {
      handlers.add(handler);
      for (const object of objects.values()) handler({ type: 'added', object });
      return () => handlers.delete(handler);
    },
    run: () => Promise.resolve(),
    put: (object) => {
      const old = objects.get(objectKey(object));
      objects.set(objectKey(object), object);
      tell(old === undefined ? { type: 'added', object } : { type: 'updated', object, old });
    },
    remove: (key) => {
      const object = objects.get(key);
      objects.delete(key);
      if (object !== undefined) tell({ type: 'deleted', object });
    },
    sync: () => {
      hasSynced = true;
      synced.resolve();
    },
    handlers: () => handlers.size,
  };
}
