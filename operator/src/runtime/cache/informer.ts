import type { KubeClient, Selection } from '../client/kube-client';
import { CACHE_PAGE_SIZE } from '../client/list-pages';
import type { KubeObject } from '../objects/kube-object';
import type { Resource } from '../objects/resource';
import type { Logger } from '../telemetry/logger';
import { createChangeHandlers } from './change-handlers';
import { createGate } from './gate';
import { type ReflectorSink, reflect } from './reflector';
import type { WatchTiming } from './reflector-timing';
import { type Change, createStore, type Indexers } from './store';
import { putObject, removeObject, replaceAll } from './update-store';

/** Options of an informer. */
export interface InformerOptions<T extends KubeObject> extends Selection {
  readonly resource: Resource;
  /**
   * Reduces an object, so that memory holds only what is read. `metadata` must keep name, namespace, uid and
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

/** A cache of the objects of a kind that follows the API server, and tells what changes. */
export interface Informer<T extends KubeObject> {
  readonly resource: Resource;
  /** The object of this key as last seen. */
  get(key: string): T | undefined;
  list(): readonly T[];
  /** The objects for which an index of {@link InformerOptions.indexes} has this value. */
  byIndex(index: string, value: string): readonly T[];
  /** Tells whether the cache has been complete once; it is never emptied afterwards. */
  hasSynced(): boolean;
  /** Resolves once {@link hasSynced}; rejects with the signal's reason when that comes first. */
  whenSynced(signal: AbortSignal): Promise<void>;
  /**
   * The time, by `performance.now()`, until which the cache holds all that happened, as far as the API server has told;
   * undefined before it was complete.
   */
  heardMs(): number | undefined;
  /** Reads all objects anew, as the cache would keep them, and leaves the cache as it is. */
  read(signal: AbortSignal): Promise<readonly T[]>;
  /** Namespaces that a cache of some namespaces follows and has not read yet: what it holds of them is not all. */
  unread(): readonly string[];
  /** Calls the handler when one of {@link unread} was read, which may change nothing else. */
  onRead(handler: () => void): void;
  /**
   * Calls the handler after each change of the cache, in the order of the API server per object, and at once with
   * `added` for what the cache holds already. A handler that throws is logged, and misses nothing of what follows.
   * @returns what ends the calls
   */
  onChange(handler: (change: Change<T>) => void): () => void;
  /** Follows the API server until the signal aborts; then resolves. Never rejects: failures are logged and retried. To be called once. */
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
