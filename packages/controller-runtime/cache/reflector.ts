import type { KubeClient, Selection, WatchEvent } from '../client/kube-client';
import { CACHE_PAGE_SIZE } from '../client/list-pages';
import type { KubeObject } from '../objects/kube-object';
import type { Resource } from '../objects/resource';
import { isKnownLater, isLaterVersion } from '../objects/resource-version';
import { errorText } from '../telemetry/error-text';
import type { Logger } from '../telemetry/logger';
import { sleep } from '../timing/wait';
import {
  addFailure,
  canResume,
  type Failures,
  NO_FAILURES,
  STEADY_TIMING,
  type WatchTiming,
  watchRetryDelayMs,
} from './reflector-timing';

/** Options of {@link reflect}. */
export interface ReflectorOptions<T extends KubeObject> {
  readonly client: KubeClient;
  readonly log: Logger;
  readonly resource: Resource;
  readonly selection: Selection;
  /** Reduces an object to its stored part. */
  readonly transform: (object: T) => T;
  /** Default: {@link STEADY_TIMING}. */
  readonly timing?: WatchTiming;
}

/** Receives the objects and changes that a reflector reads. Must not throw. */
export interface ReflectorSink<T extends KubeObject> {
  /** Replaces all objects with these. */
  replace(objects: readonly T[]): void;
  /** An object exists, in this state. */
  put(object: T): void;
  /** An object was deleted; this was its last state. */
  remove(object: T): void;
  /** All changes until this time of `performance.now()` have been reported. */
  heard(untilMs: number): void;
}

interface Position {
  /** The version after which changes are unread; undefined if all objects must be read again. */
  version: string | undefined;
  failures: Failures;
  warned: string | undefined;
}

/** Follows the objects of a selection until the signal aborts, and resumes after any failure. Never rejects. */
export async function reflect<T extends KubeObject>(
  options: ReflectorOptions<T>,
  sink: ReflectorSink<T>,
  signal: AbortSignal,
): Promise<void> {
  const { timing = STEADY_TIMING } = options;
  const position: Position = { version: undefined, failures: NO_FAILURES, warned: undefined };
  while (!signal.aborted) {
    try {
      await follow({ ...options, timing }, sink, position, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (!canResume(error)) position.version = undefined;
      position.failures = addFailure(position.failures, error);
      logFailure(options, position, error);
      await sleep(watchRetryDelayMs(timing.backoff, position.failures.count, error, Math.random()), signal);
    }
  }
}

async function follow<T extends KubeObject>(
  options: ReflectorOptions<T> & { readonly timing: WatchTiming },
  sink: ReflectorSink<T>,
  position: Position,
  signal: AbortSignal,
): Promise<void> {
  const { client, resource, selection, transform, timing } = options;
  if (position.version === undefined) {
    const askedMs = performance.now();
    const list = await client.list<T>(resource, { ...selection, transform, pageSize: CACHE_PAGE_SIZE, signal });
    sink.replace(list.items);
    sink.heard(askedMs);
    position.version = list.resourceVersion;
  }
  const startedAt = performance.now();
  let hasNews = false;
  const isWorking = (): boolean => hasNews || performance.now() - startedAt >= timing.settledMs;
  const onEvent = (event: WatchEvent<T>): void => {
    if (event.type === 'DELETED') sink.remove(transform(event.object));
    else if (event.type !== 'BOOKMARK') sink.put(transform(event.object));
    // After the sink, because only a processed event counts as seen.
    const version = event.object.metadata.resourceVersion;
    // Events come in order, and a bookmark after them. A watch without later versions may be disconnected, or be
    // one of an API server that is behind.
    if (!isKnownLater(position.version, version)) sink.heard(performance.now());
    if (isLaterVersion(version, position.version)) {
      position.version = version;
      // A bookmark is no news: a server may send one and end each watch right after its start.
      hasNews ||= event.type !== 'BOOKMARK';
    }
    if (isWorking()) noteSuccess(options, position);
  };
  const { inactivityTimeoutMs } = timing;
  const watch = { ...selection, resourceVersion: position.version, inactivityTimeoutMs, onEvent, signal };
  try {
    await client.watch<T>(resource, { ...watch, timeoutSeconds: timing.watchSeconds() });
    if (!isWorking()) throw new Error('the watch ended immediately after its start');
  } finally {
    if (isWorking()) noteSuccess(options, position);
  }
}

function noteSuccess(
  { log, resource }: Pick<ReflectorOptions<KubeObject>, 'log' | 'resource'>,
  position: Position,
): void {
  if (position.warned !== undefined) log.info('watching again', { resource: resource.plural });
  position.failures = NO_FAILURES;
  position.warned = undefined;
}

/** A single failure is normal for a watch; a repeated one is a warning, once. */
function logFailure(
  { log, resource }: Pick<ReflectorOptions<KubeObject>, 'log' | 'resource'>,
  position: Position,
  error: unknown,
): void {
  const fields = { resource: resource.plural, failures: position.failures.count, error };
  const text = errorText(error);
  if (position.failures.count > 1 && text !== position.warned) {
    position.warned = text;
    log.warn('cannot watch', fields);
  } else {
    log.debug('watch interrupted', fields);
  }
}
