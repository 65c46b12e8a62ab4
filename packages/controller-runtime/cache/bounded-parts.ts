import type { KubeObject } from '../objects/kube-object';
import type { ChangeHandlers } from './change-handlers';
import { createInformer, type Informer, type InformerContext, type InformerOptions } from './informer';

/** The caches of single namespaces that form one cache. */
export interface BoundedParts<T extends KubeObject> {
  /** Watches a namespace, unless it is already watched. */
  follow(namespace: string): void;
  /** Stops watching a namespace. Its objects are gone. */
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
export function boundedParts<T extends KubeObject>(
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
