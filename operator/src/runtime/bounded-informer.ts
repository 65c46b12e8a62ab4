import { aborted, sleep } from './aborted';
import { createChangeHandlers } from './change-handlers';
import { createGate } from './gate';
import { createInformer, type Informer, type InformerContext, type InformerOptions } from './informer';
import { type KubeObject, splitKey } from './kube-object';

/** The namespaces that a process may look at, and those that there are. */
export interface Bounds {
  /** Their names, whether they exist or not. */
  readonly names: readonly string[];
  /** All namespaces of the cluster. */
  readonly existing: Informer<KubeObject>;
}

/**
 * How long the first reading of a namespace may take until the rest goes on without it. Where the permissions are not
 * there yet, or somebody took them away, that is nothing which others have to wait for.
 */
const FIRST_READING_MS = 10_000;

/** The cache of one namespace. */
interface Part<T extends KubeObject> {
  readonly informer: Informer<T>;
  readonly stop: AbortController;
}

/**
 * A cache of the objects of some namespaces, one watch for each that exists: what it was not given permission for it
 * never asks for. A namespace that is made later is followed from then on; of one that ends nothing is left.
 */
export function createBoundedInformer<T extends KubeObject>(
  context: InformerContext,
  options: InformerOptions<T>,
  { names, existing }: Bounds,
): Informer<T> {
  const { resource } = options;
  const log = context.log.with({ resource: resource.plural });
  const handlers = createChangeHandlers<T>(log);
  const parts = new Map<string, Part<T>>();
  const runs: Promise<void>[] = [];
  const synced = createGate();

  const follow = (namespace: string): void => {
    if (parts.has(namespace)) return;
    const part = { informer: createInformer(context, { ...options, namespace }), stop: new AbortController() };
    parts.set(namespace, part);
    part.informer.onChange((change) => {
      if (!part.stop.signal.aborted) handlers.tell([change]);
    });
    runs.push(part.informer.run(part.stop.signal));
  };
  const leave = (namespace: string): void => {
    const part = parts.get(namespace);
    if (part === undefined) return;
    parts.delete(namespace);
    part.stop.abort(new Error(`Namespace ${namespace} is gone`));
    handlers.tell(part.informer.list().map((object) => ({ type: 'deleted', object })));
  };
  const look = ({ metadata }: KubeObject, isGone: boolean): void => {
    if (!names.includes(metadata.name)) return;
    // What is in a namespace that ends goes with it, the permissions first perhaps.
    if (isGone || metadata.deletionTimestamp !== undefined) leave(metadata.name);
    else follow(metadata.name);
  };
  const readFirst = async (signal: AbortSignal): Promise<void> => {
    await existing.whenSynced(signal);
    const first = [...parts];
    const all = Promise.all(first.map(([, { informer }]) => informer.whenSynced(signal)));
    await Promise.race([all, sleep(FIRST_READING_MS, signal)]);
    const unread = first.filter(([, { informer }]) => !informer.hasSynced()).map(([namespace]) => namespace);
    if (unread.length > 0 && !signal.aborted) log.warn('going on without namespaces that cannot be read', { unread });
    synced.open();
  };
  const list = (): readonly T[] => [...parts.values()].flatMap(({ informer }) => informer.list());

  return {
    resource,
    get: (key) => parts.get(splitKey(key).namespace ?? '')?.informer.get(key),
    list,
    byIndex: (index, value) => [...parts.values()].flatMap(({ informer }) => informer.byIndex(index, value)),
    hasSynced: synced.isOpen,
    whenSynced: synced.whenOpen,
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
      for (const { stop } of parts.values()) stop.abort(signal.reason);
      await reading;
      for (const run of runs) await run;
    },
  };
}
