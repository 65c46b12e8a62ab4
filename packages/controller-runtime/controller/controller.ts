import type { Informer } from '../cache/informer';
import type { Change } from '../cache/store';
import { type KubeObject, objectKey } from '../objects/kube-object';
import type { Logger } from '../telemetry/logger';
import type { Metrics, ReconcileOutcome } from '../telemetry/metrics';
import { aborted } from '../timing/wait';
import { createWorkqueue, type Workqueue } from './workqueue';

/** The result of a successful reconcile. */
export interface ReconcileResult {
  /** Reconcile the key again after this many milliseconds, even without changes. */
  readonly requeueAfterMs?: number;
}

/** An error that retrying does not fix: it is logged and counted, and its key waits for the next change. */
export class TerminalError extends Error {
  override readonly name = 'TerminalError';
}

/** Options of {@link createController}. */
export interface ControllerOptions {
  /** Name in logs and metrics. */
  readonly name: string;
  /**
   * Reconciles the key's objects. Level-based: it gets no change, and reads caches and the API server. Called once at a
   * time per key. The signal aborts when the work must stop at once (lost leadership, end of the grace period). An
   * error is retried with the key's backoff.
   */
  readonly reconcile: (key: string, signal: AbortSignal) => Promise<ReconcileResult | undefined>;
  /** Maximum number of keys to reconcile at a time. @default 1 */
  readonly concurrency?: number;
  /** Caches, in addition to those of `watch`, that must be complete before the first reconcile. @default - none */
  readonly caches?: readonly Informer<KubeObject>[];
  /** Milliseconds by which changes are delayed, so that later ones are handled with them. @default 0 */
  readonly coalesceMs?: number;
}

/** Reconciles keys, while this process leads. */
export interface Controller {
  /** Requests a reconcile of a key. It waits until this process leads. */
  enqueue(key: string): void;
  /**
   * Reconciles the keys of changed objects, and those of all objects at the start. Call it before the manager runs.
   * @param keys of a state of the object; a change concerns those of the states before and after it. Default: the
   * object's own key.
   */
  watch<T extends KubeObject>(informer: Informer<T>, keys?: (object: T) => readonly string[]): void;
}

/** A controller for the manager. Run it once. */
export interface RunnableController extends Controller {
  readonly name: string;
  /**
   * Reconciles until `stop` aborts, and then finishes the current work.
   * @param abort given to each reconcile
   */
  run(stop: AbortSignal, abort: AbortSignal): Promise<void>;
}

/** The log and metrics of a controller. */
export interface ControllerContext {
  readonly log: Logger;
  readonly metrics: Metrics;
}

/** Creates a controller that does not run yet. */
export function createController(options: ControllerOptions, context: ControllerContext): RunnableController {
  const { name, concurrency = 1, coalesceMs = 0 } = options;
  const queue = createWorkqueue(context.metrics.workqueue(name));
  const caches = new Set<Informer<KubeObject>>(options.caches);
  const subscriptions: (() => () => void)[] = [];
  const reconcileKey = keyReconciler({ options, queue, context });

  const work = async (abort: AbortSignal): Promise<void> => {
    for (let key = await queue.take(); key !== undefined; key = await queue.take()) {
      await reconcileKey(key, abort);
      queue.done(key);
    }
  };
  return {
    name,
    enqueue: queue.add,
    watch: (informer, keys = (object) => [objectKey(object)]) => {
      caches.add(informer as unknown as Informer<KubeObject>);
      subscriptions.push(() =>
        informer.onChange((change) => {
          for (const key of concernedKeys(change, keys)) queue.addAfter(key, coalesceMs);
        }),
      );
    },
    run: async (stop, abort) => {
      const ends = subscriptions.map((subscribe) => subscribe());
      try {
        await Promise.all([...caches].map((cache) => cache.whenSynced(stop)));
        const workers = Array.from({ length: concurrency }, () => work(abort));
        await aborted(stop);
        await queue.shutDown();
        await Promise.all(workers);
      } catch (error) {
        if (!stop.aborted) throw error;
      } finally {
        for (const end of ends) end();
      }
    },
  };
}

function concernedKeys<T extends KubeObject>(
  change: Change<T>,
  keys: (object: T) => readonly string[],
): Iterable<string> {
  return new Set([...(change.type === 'updated' ? keys(change.old) : []), ...keys(change.object)]);
}

interface ReconcilerParts {
  readonly options: ControllerOptions;
  readonly queue: Workqueue;
  readonly context: ControllerContext;
}

/** Never rejects. */
function keyReconciler({ options: { name, reconcile }, queue, context }: ReconcilerParts) {
  const log = context.log.with({ controller: name });
  const attempt = async (key: string, abort: AbortSignal): Promise<ReconcileOutcome> => {
    try {
      const { requeueAfterMs } = (await reconcile(key, abort)) ?? {};
      queue.forget(key);
      if (requeueAfterMs === undefined) return 'success';
      queue.addAfter(key, requeueAfterMs);
      return 'requeue_after';
    } catch (error) {
      if (error instanceof TerminalError) {
        queue.forget(key);
        log.error('reconcile failed, not retrying', { key, error });
        return 'terminal_error';
      }
      queue.addRateLimited(key);
      log.warn('reconcile failed, retrying', { key, error });
      return 'error';
    }
  };
  return async (key: string, abort: AbortSignal): Promise<void> => {
    const begun = performance.now();
    const outcome = await attempt(key, abort);
    context.metrics.reconciled(name, outcome, (performance.now() - begun) / 1000);
  };
}
