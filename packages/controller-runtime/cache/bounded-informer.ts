import { type KubeObject, splitKey } from '../objects/kube-object';
import { aborted, sleep } from '../timing/wait';
import type { ChangeHandlers } from './change-handlers';
import { createChangeHandlers } from './change-handlers';
import { createGate } from './gate';
import { createInformer, type Informer, type InformerContext, type InformerOptions } from './informer';

/** The namespaces that a process may watch, and the existing ones. */
export interface Bounds {
  /** Their names, whether they exist or not. */
  readonly names: readonly string[];
  /** All namespaces of the cluster. */
  readonly existing: Informer<KubeObject>;
}

/**
 * Milliseconds for the first read of a namespace until the others proceed without it: missing permissions in one must
 * not block them.
 */
const FIRST_READING_MS = 10_000;

/**
 * Creates a cache of the objects of some namespaces, with one watch for each existing namespace, so that it needs no
 * permission for others. It also watches namespaces that are created later, and drops objects of deleted ones.
 */
export function createBoundedInformer<T extends KubeObject>(
  context: InformerContext,
  options: InformerOptions<T>,
  { names, existing }: Bounds,
): Informer<T> {
  const { resource } = options;
  const log = context.log.with({ resource: resource.plural });
  const handlers = createChangeHandlers<T>(log);
  const readers: (() => void)[] = [];
  const synced = createGate();
  const parts = boundedParts(context, options, handlers, () => {
    for (const handler of readers) handler();
  });

  const look = ({ metadata }: KubeObject, isGone: boolean): void => {
    if (!names.includes(metadata.name)) return;
    // The contents of a terminating namespace are deleted, possibly its permissions first.
    if (isGone || metadata.deletionTimestamp !== undefined) parts.leave(metadata.name);
    else parts.follow(metadata.name);
  };
  const readFirst = async (signal: AbortSignal): Promise<void> => {
    await existing.whenSynced(signal);
    const all = Promise.all(parts.all().map((part) => part.whenSynced(signal)));
    await Promise.race([all, sleep(FIRST_READING_MS, signal)]);
    const unread = parts.unread();
    if (unread.length > 0 && !signal.aborted) log.warn('continuing without namespaces that cannot be read', { unread });
    synced.open();
  };
  const list = (): readonly T[] => parts.all().flatMap((part) => part.list());

  return {
    resource,
    get: (key) => parts.of(splitKey(key).namespace ?? '')?.get(key),
    list,
    byIndex: (index, value) => parts.all().flatMap((part) => part.byIndex(index, value)),
    hasSynced: synced.isOpen,
    whenSynced: synced.whenOpen,
    heardMs: () => {
      const all = [existing, ...parts.all()].map((one) => one.heardMs());
      return all.includes(undefined) ? undefined : Math.min(...all.map(Number));
    },
    read: async (signal) => (await Promise.all(parts.all().map((part) => part.read(signal)))).flat(),
    unread: parts.unread,
    onRead: (handler) => void readers.push(handler),
    onChange: (handler) => {
      handlers.add(handler);
      handlers.tellOne(
        handler,
        list().map((object) => ({ type: 'added', object })),
      );
      return () => handlers.remove(handler);
    },
    run: async (signal) => {
      const end = existing.onChange(({ type, object }) => look(object, type === 'deleted'));
      const reading = readFirst(signal).catch(() => undefined);
      await aborted(signal);
      end();
      await parts.end(signal.reason);
      await reading;
    },
  };
}

/** The caches of single namespaces that form one cache. */
interface BoundedParts<T extends KubeObject> {
  /** Watches a namespace, unless it is already watched. */
  follow(namespace: string): void;
  /** Stops watching a namespace, and drops its objects. */
  leave(namespace: string): void;
  of(namespace: string): Informer<T> | undefined;
  all(): readonly Informer<T>[];
  /** Returns the namespaces that have not been read yet. */
  unread(): readonly string[];
  /** Stops all caches. */
  end(reason: unknown): Promise<void>;
}

interface Part<T extends KubeObject> {
  readonly informer: Informer<T>;
  readonly stop: AbortController;
}

/** @param onRead called when a namespace was read for the first time */
function boundedParts<T extends KubeObject>(
  context: InformerContext,
  options: InformerOptions<T>,
  handlers: ChangeHandlers<T>,
  onRead: () => void,
): BoundedParts<T> {
  const parts = new Map<string, Part<T>>();
  const runs: Promise<void>[] = [];
  return {
    follow: (namespace) => {
      if (parts.has(namespace)) return;
      const part = { informer: createInformer(context, { ...options, namespace }), stop: new AbortController() };
      parts.set(namespace, part);
      part.informer.onChange((change) => {
        if (!part.stop.signal.aborted) handlers.tell([change]);
      });
      void part.informer.whenSynced(part.stop.signal).then(onRead, () => undefined);
      runs.push(part.informer.run(part.stop.signal));
    },
    leave: (namespace) => {
      const part = parts.get(namespace);
      if (part === undefined) return;
      parts.delete(namespace);
      part.stop.abort(new Error(`Namespace ${namespace} is gone`));
      handlers.tell(part.informer.list().map((object) => ({ type: 'deleted', object })));
    },
    of: (namespace) => parts.get(namespace)?.informer,
    all: () => [...parts.values()].map(({ informer }) => informer),
    unread: () => [...parts].filter(([, { informer }]) => !informer.hasSynced()).map(([namespace]) => namespace),
    end: async (reason) => {
      for (const { stop } of parts.values()) stop.abort(reason);
      for (const run of runs) await run;
    },
  };
}
