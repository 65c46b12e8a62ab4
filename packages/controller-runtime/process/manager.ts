import type { Informer, InformerOptions } from '../cache/informer';
import { createInformerPool, type Readiness } from '../cache/informer-pool';
import type { KubeClient } from '../client/kube-client';
import {
  type Controller,
  type ControllerOptions,
  createController,
  type RunnableController,
} from '../controller/controller';
import type { Leadership } from '../election/leader-election';
import type { EventRecorder } from '../events/event-recorder';
import type { KubeObject } from '../objects/kube-object';
import type { Server } from '../server/server';
import { createServerGroup } from '../server/server-group';
import type { Logger } from '../telemetry/logger';
import type { Metrics } from '../telemetry/metrics';
import { aborted, sleep } from '../timing/wait';

/** The facilities for parts of the operator. */
export interface Manager {
  readonly client: KubeClient;
  readonly events: EventRecorder;
  readonly log: Logger;
  readonly metrics: Metrics;
  /**
   * Returns the cache of a resource, shared by callers with the same options (resource, selection, transform, indexes).
   * It runs from the start of the manager, or from this call on if that is later. Only a `leading` one needs the lead.
   */
  informer<T extends KubeObject>(options: InformerOptions<T>, readiness?: Readiness): Informer<T>;
  /** Adds a controller, which runs while this process leads. Call it before the manager runs. */
  controller(options: ControllerOptions): Controller;
  /** Adds a server, which runs on every replica. Call it before the manager runs. */
  serve(name: string, server: Server): void;
}

/** Options of {@link createManager}. */
export interface ManagerOptions {
  readonly client: KubeClient;
  readonly events: EventRecorder;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Namespaces to which caches of all namespaces are limited. @default - no limit */
  readonly namespaces?: readonly string[];
  /** Waits until this process leads; undefined if the signal aborts before. @default - it leads at once */
  readonly lead?: (stop: AbortSignal) => Promise<Leadership | undefined>;
}

/** The reason why a manager ended: it was stopped, or another process leads. */
type ManagerEnd = 'stopped' | 'lost';

/** A manager for its process. */
export interface RunnableManager extends Manager {
  /** Returns what this process waits for; empty when it is ready, leader or not. */
  missing(): readonly string[];
  /**
   * Runs everything that was added, until `stop` aborts or the lease is lost. Call it once. After `lost`, work may
   * still be in progress, and the process should exit at once.
   */
  run(stop: AbortSignal): Promise<ManagerEnd>;
}

const GRACE_MS = 20_000;

/** Creates a manager without controllers and servers. */
export function createManager(options: ManagerOptions): RunnableManager {
  const { client, events, log, metrics, namespaces, lead } = options;
  const caches = createInformerPool({ client, log, namespaces });
  const servers = createServerGroup(log);
  const controllers: RunnableController[] = [];
  let state: 'starting' | 'running' | 'stopping' = 'starting';

  const control = async (stop: AbortSignal): Promise<ManagerEnd> => {
    const leadership = await lead?.(stop);
    if (lead !== undefined && leadership === undefined) return 'stopped';
    caches.lead();
    const end = await runControllers(controllers, {
      stop,
      lost: leadership?.lost,
      graceMs: GRACE_MS,
    });
    if (end === 'lost') return end;
    await events.flush();
    await leadership?.release();
    return end;
  };
  return {
    client,
    events,
    log,
    metrics,
    informer: caches.get,
    controller: (controllerOptions) => {
      const controller = createController(controllerOptions, { log, metrics });
      controllers.push(controller);
      return controller;
    },
    serve: servers.add,
    missing: () => [
      ...(state === 'running' ? [] : [state]),
      ...servers.missing(),
      ...caches.incomplete().map(({ resource }) => `cache of ${resource.plural}`),
    ],
    run: async (stop) => {
      const end = new AbortController();
      const following = caches.run(end.signal);
      await servers.start();
      state = 'running';
      const serving = aborted(stop).then(() => {
        state = 'stopping';
        return servers.stop();
      });
      const outcome = await control(stop);
      if (outcome === 'lost') return outcome;
      // The webhooks read the caches until their last answer.
      await serving;
      end.abort(new Error('The manager stops'));
      await following;
      return outcome;
    },
  };
}

interface ControllerRun {
  /** Stops the work when it aborts: no key is taken, and those in progress are finished. */
  readonly stop: AbortSignal;
  /**
   * Stops the work at once when it aborts: another process leads. Absent for a process that leads without an election.
   */
  readonly lost?: AbortSignal;
  /** Maximum milliseconds for keys in progress after `stop`. */
  readonly graceMs: number;
}

/** Milliseconds for reconciles to end after their requests were aborted at the end of the grace period. */
const AFTER_GRACE_MS = 1000;

/** Runs controllers until they are stopped, or the lead is lost. */
export async function runControllers(
  controllers: readonly RunnableController[],
  run: ControllerRun,
): Promise<'stopped' | 'lost'> {
  const { stop, lost, graceMs } = run;
  const abort = new AbortController();
  const done = new AbortController();
  const finished = Promise.all(controllers.map((controller) => controller.run(stop, abort.signal)));
  const ends: Promise<'stopped' | 'lost'>[] = [finished.then(() => 'stopped' as const), outOfTime()];
  if (lost !== undefined) ends.push(aborted(lost).then(() => 'lost' as const));
  try {
    return await Promise.race(ends);
  } finally {
    abort.abort(lost?.reason ?? new Error('The grace period is over'));
    done.abort();
  }

  async function outOfTime(): Promise<'stopped'> {
    await aborted(stop);
    await sleep(graceMs, done.signal);
    abort.abort(new Error('The grace period is over'));
    await sleep(AFTER_GRACE_MS, done.signal);
    return 'stopped';
  }
}
