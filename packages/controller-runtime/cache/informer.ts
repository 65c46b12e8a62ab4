import type { KubeClient, Selection } from '../client/kube-client';
import { CACHE_PAGE_SIZE } from '../client/list-pages';
import { type KubeObject, objectKey } from '../objects/kube-object';
import type { Resource } from '../objects/resource';
import { isLaterVersion } from '../objects/resource-version';
import type { Logger } from '../telemetry/logger';
import { createChangeHandlers } from './change-handlers';
import { createGate } from './gate';
import { type ReflectorSink, reflect } from './reflector';
import type { WatchTiming } from './reflector-timing';
import type { Store } from './store';
import { type Change, createStore, type Indexers } from './store';

/** Options of an informer. */
export interface InformerOptions<T extends KubeObject> extends Selection {
  readonly resource: Resource;
  /**
   * Reduces an object, so that memory contains only used fields. `metadata` must keep name, namespace, uid and
   * resourceVersion. Default: everything.
   */
  readonly transform?: (object: T) => T;
  /** True to keep `metadata.managedFields`, often half of an object. Default: false. */
  readonly keepManagedFields?: boolean;
  /** See {@link Informer.byIndex}. Default: none. */
  readonly indexes?: Indexers<T>;
  /**
   * Milliseconds after which every object is delivered again as `updated`, with `old` equal to `object`. Default:
   * never.
   */
  readonly resyncMs?: number;
}

/** A cache of the objects of a kind that follows the API server, and reports changes. */
export interface Informer<T extends KubeObject> {
  readonly resource: Resource;
  /** Returns the object of this key as last seen. */
  get(key: string): T | undefined;
  list(): readonly T[];
  /** Returns the objects for which an index of {@link InformerOptions.indexes} has this value. */
  byIndex(index: string, value: string): readonly T[];
  /** Whether the cache has been complete once; it is never emptied afterwards. */
  hasSynced(): boolean;
  /** Resolves once {@link hasSynced}; rejects with the signal's reason if that aborts first. */
  whenSynced(signal: AbortSignal): Promise<void>;
  /**
   * Returns the time of `performance.now()` up to which the cache contains all changes that the API server reported;
   * undefined before the cache was complete.
   */
  heardMs(): number | undefined;
  /** Rereads all objects, in the cache's form, without changing the cache. */
  read(signal: AbortSignal): Promise<readonly T[]>;
  /**
   * Returns the namespaces that a cache of some namespaces watches and has not read yet: its objects of them are
   * incomplete.
   */
  unread(): readonly string[];
  /** Calls the handler when one of {@link unread} has been read, even if no object changes. */
  onRead(handler: () => void): void;
  /**
   * Calls the handler after each change of the cache, in the API server's order for each object, and at once with
   * `added` for existing objects. An error in a handler is logged, and does not affect later calls.
   * @returns a function that ends the calls
   */
  onChange(handler: (change: Change<T>) => void): () => void;
  /**
   * Follows the API server until the signal aborts; then resolves. Never rejects: failures are logged and retried. Call
   * it once.
   */
  run(signal: AbortSignal): Promise<void>;
}

/** The client, log and timing of an informer. */
export interface InformerContext {
  readonly client: KubeClient;
  readonly log: Logger;
  /** Default: that of production. */
  readonly timing?: WatchTiming;
}

/** Creates an informer that does not run yet. */
export function createInformer<T extends KubeObject>(
  context: InformerContext,
  options: InformerOptions<T>,
): Informer<T> {
  const { resource, transform, keepManagedFields, indexes, resyncMs, ...selection } = options;
  const store = createStore(indexes);
  const handlers = createChangeHandlers<T>(context.log.with({ resource: resource.plural }));
  const synced = createGate();
  let heardMs: number | undefined;
  const keep = (object: T): T => {
    const kept = keepManagedFields ? object : withoutManagedFields(object);
    return transform ? transform(kept) : kept;
  };
  const sink: ReflectorSink<T> = {
    put: (object) => handlers.tell(putObject(store, object)),
    remove: (object) => handlers.tell(removeObject(store, object)),
    replace: (objects) => {
      handlers.tell(replaceAll(store, objects));
      synced.open();
    },
    heard: (untilMs) => {
      heardMs = untilMs;
    },
  };
  const resync = (): void => handlers.tell(store.list().map((object) => ({ type: 'updated', object, old: object })));

  return {
    resource,
    get: store.get,
    list: store.list,
    byIndex: store.byIndex,
    hasSynced: synced.isOpen,
    whenSynced: synced.whenOpen,
    heardMs: () => heardMs,
    read: async (signal) => {
      const list = { ...selection, transform: keep, pageSize: CACHE_PAGE_SIZE, signal };
      return (await context.client.list<T>(resource, list)).items;
    },
    unread: () => [],
    onRead: () => undefined,
    onChange: (handler) => {
      handlers.add(handler);
      handlers.tellOne(
        handler,
        store.list().map((object) => ({ type: 'added', object })),
      );
      return () => handlers.remove(handler);
    },
    run: async (signal) => {
      const timer = resyncMs === undefined ? undefined : setInterval(resync, resyncMs);
      await reflect({ ...context, resource, selection, transform: keep }, sink, signal);
      clearInterval(timer);
    },
  };
}

function withoutManagedFields<T extends KubeObject>(object: T): T {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

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
 * Updates the store with a complete list. The list is a consistent read, so it overrides the store, even if the store
 * seems to be newer: then the cluster's data was restored from a backup.
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
  // Another object of the same name: the watch missed the deletion of the first one.
  return [
    { type: 'deleted', object: old },
    { type: 'added', object },
  ];
}

function isSameState(one: KubeObject, other: KubeObject): boolean {
  return one.metadata.uid === other.metadata.uid && one.metadata.resourceVersion === other.metadata.resourceVersion;
}
