import { NAMESPACES } from '../objects/built-in-resources';
import type { KubeObject } from '../objects/kube-object';
import { aborted } from '../timing/wait';
import { createBoundedInformer } from './bounded-informer';
import type { Informer, InformerContext, InformerOptions } from './informer';
import { createInformer } from './informer';

/**
 * The role of a cache in the readiness of the process. A `required` cache must be complete. The resource of an
 * `optional` cache may not exist. A `leading` cache is filled only while this process leads, and is required from then
 * on; followers do not need it.
 */
export type Readiness = 'required' | 'optional' | 'leading';

/** Shared caches. */
export interface InformerPool {
  /** Returns the cache with these options, which all callers share. It runs while the pool runs. */
  get<T extends KubeObject>(options: InformerOptions<T>, readiness?: Readiness): Informer<T>;
  /** Returns the required caches that are not complete yet. */
  incomplete(): readonly Informer<KubeObject>[];
  /** Runs all caches, including later ones, until the signal aborts; caches for a leader only from {@link lead} on. */
  run(signal: AbortSignal): Promise<void>;
  /** Starts the caches for a leader: this process leads from now on. */
  lead(): void;
}

interface Entry {
  readonly options: InformerOptions<KubeObject>;
  readonly informer: Informer<KubeObject>;
  isRequired: boolean;
  isForLeader: boolean;
  isRunning: boolean;
}

/** The client, log, timing and bounds of shared caches. */
export interface InformerPoolContext extends InformerContext {
  /** Namespaces to which caches of all namespaces are limited. @default - no limit */
  readonly namespaces?: readonly string[];
}

const EXISTING: InformerOptions<KubeObject> = {
  resource: NAMESPACES,
  metadataOnly: true,
  transform: ({ apiVersion, kind, metadata: { name, uid, resourceVersion, deletionTimestamp } }) => ({
    apiVersion,
    kind,
    metadata: { name, uid, resourceVersion, deletionTimestamp },
  }),
};

/** Creates a pool without caches. */
export function createInformerPool(context: InformerPoolContext): InformerPool {
  const { namespaces: names } = context;
  const entries: Entry[] = [];
  const runs: Promise<void>[] = [];
  let running: AbortSignal | undefined;
  let isLeading = false;

  const start = (entry: Entry): void => {
    if (running === undefined || entry.isRunning || (entry.isForLeader && !isLeading)) return;
    entry.isRunning = true;
    runs.push(entry.informer.run(running));
  };
  const add = (options: InformerOptions<KubeObject>): Entry => {
    const isBounded = names !== undefined && options.resource.namespaced && options.namespace === undefined;
    const informer = isBounded
      ? createBoundedInformer(context, options, { names, existing: existing() })
      : createInformer(context, options);
    const entry = { options, informer, isRequired: false, isForLeader: true, isRunning: false };
    entries.push(entry);
    return entry;
  };
  const find = (options: InformerOptions<KubeObject>): Entry =>
    entries.find((known) => isSame(known.options, options)) ?? add(options);
  const existing = (): Informer<KubeObject> => {
    const entry = find(EXISTING);
    // A process that is limited to namespaces needs this cache before it leads.
    entry.isForLeader = false;
    start(entry);
    return entry.informer;
  };
  return {
    get: <T extends KubeObject>(options: InformerOptions<T>, readiness: Readiness = 'required') => {
      // Callbacks get the objects that the options select, whose kinds the caller knows.
      const anyOptions = options as unknown as InformerOptions<KubeObject>;
      const entry = find(anyOptions);
      entry.isRequired ||= readiness === 'required';
      entry.isForLeader &&= readiness === 'leading';
      start(entry);
      return entry.informer as unknown as Informer<T>;
    },
    incomplete: () =>
      entries
        .filter(({ isRequired, isForLeader }) => isRequired || (isForLeader && isLeading))
        .filter(({ informer }) => !informer.hasSynced())
        .map(({ informer }) => informer),
    run: async (signal) => {
      running = signal;
      for (const entry of entries) start(entry);
      await aborted(signal);
      // A cache may be requested while others are stopping.
      for (const run of runs) await run;
    },
    lead: () => {
      isLeading = true;
      for (const entry of entries) start(entry);
    },
  };
}

function isSame(a: InformerOptions<KubeObject>, b: InformerOptions<KubeObject>): boolean {
  const { resource: resourceA, ...restA } = a;
  const { resource: resourceB, ...restB } = b;
  const keys = new Set([...Object.keys(restA), ...Object.keys(restB)]) as Set<keyof typeof restA>;
  return (
    resourceA.apiVersion === resourceB.apiVersion &&
    resourceA.plural === resourceB.plural &&
    [...keys].every((key) => restA[key] === restB[key])
  );
}
