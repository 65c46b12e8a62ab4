import { isApiError, mayPass } from '../client/api-error';
import type { KubeClient } from '../client/kube-client';
import { EVENTS } from '../objects/built-in-resources';
import { objectKey } from '../objects/kube-object';
import { kubeTime } from '../objects/kube-time';
import type { Logger } from '../telemetry/logger';
import { type Backoff, backoffDelayMs } from '../timing/backoff';
import { createTokenBucket, type TokenBucketOptions } from '../timing/token-bucket';
import { sleep } from '../timing/wait';
import { type Event, type EventNote, eventKey, eventOf, type Reporter } from './event';

/** Records Events. The same note about the same object is one Event with a count. */
export interface EventRecorder {
  /**
   * Never waits, never throws. An Event that cannot be written is retried a few times, for some seconds if the API
   * server is down; then it is logged, and counted when the same note is recorded again.
   */
  record(event: EventNote): void;
  /** Resolves when all recorded Events are written or dropped, or after a few seconds. */
  flush(): Promise<void>;
}

/** Options of {@link createEventRecorder}. */
export interface EventRecorderOptions {
  readonly client: KubeClient;
  readonly log: Logger;
  readonly reporter: Reporter;
  /** Writes about one object. @default 25 at once, then one in five minutes, as in client-go */
  readonly perObject?: TokenBucketOptions;
}

const PER_OBJECT: TokenBucketOptions = { perSecond: 1 / 300, burst: 25 };
/** Maximum number of remembered Events and objects: a forgotten one may be written again, or get another burst. */
const REMEMBERED = 4096;
/** Events that wait while the API server does not answer; further ones are dropped. */
const MAX_QUEUE_LENGTH = 1000;
const MAX_ATTEMPTS = 6;
/** Delays between consecutive failures of any Events. A single Event is dropped after eight seconds. */
const BACKOFF: Backoff = { baseMs: 250, maxMs: 5000 };
const FLUSH_MS = 3000;

interface WaitingSeries extends EventSeries {
  failures: number;
}

/** Creates a recorder that writes one Event at a time. */
export function createEventRecorder({
  client,
  log,
  reporter,
  perObject = PER_OBJECT,
}: EventRecorderOptions): EventRecorder {
  const allSeries = createRecentMap<WaitingSeries>(REMEMBERED);
  const buckets = createRecentMap<ReturnType<typeof createTokenBucket>>(REMEMBERED);
  const queue = new Set<WaitingSeries>();
  const write = eventWriter(client, reporter);
  let writing = Promise.resolve();

  /** Tries once. Returns whether the API server accepts further Events. */
  const attempt = async (series: WaitingSeries): Promise<boolean> => {
    try {
      await write(series);
      series.failures = 0;
      return true;
    } catch (error) {
      series.failures += 1;
      const { regarding, reason } = series.note;
      const fields = { kind: regarding.kind, key: objectKey(regarding), reason, error };
      const isAway = mayPass(error);
      if (isAway && series.failures < MAX_ATTEMPTS && queue.size < MAX_QUEUE_LENGTH) {
        log.debug('an Event waits for the API server', fields);
        queue.add(series);
      } else {
        log.warn('an Event could not be written', fields);
        series.failures = 0;
      }
      return !isAway;
    }
  };
  const drain = async (): Promise<void> => {
    let failures = 0;
    for (const series of queue) {
      queue.delete(series);
      failures = (await attempt(series)) ? 0 : failures + 1;
      if (failures > 0 && queue.size > 0) await pause(backoffDelayMs(BACKOFF, failures));
    }
  };
  return {
    record: (note) => {
      const series = allSeries.getOrAdd(objectKey({ metadata: eventKey(note) }), () => ({
        note,
        unwritten: 0,
        failures: 0,
      }));
      series.unwritten += 1;
      const object = `${note.regarding.kind} ${objectKey(note.regarding)}`;
      const isAllowed =
        queue.size < MAX_QUEUE_LENGTH && buckets.getOrAdd(object, () => createTokenBucket(perObject)).tryTake();
      if (!isAllowed) return log.debug('too many Events', { object, reason: note.reason });
      queue.add(series);
      if (queue.size === 1) writing = writing.then(drain);
    },
    flush: async () => {
      const done = new AbortController();
      await Promise.race([writing, sleep(FLUSH_MS, done.signal)]);
      done.abort();
    },
  };
}

/** Waits, without keeping the process running. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}

/** A map of recently used values. */
export interface RecentMap<T> {
  /** Returns the value of a key, created if necessary. */
  getOrAdd(key: string, make: () => T): T;
}

/** Creates a map that drops the least recently used value when it exceeds `size`. */
export function createRecentMap<T>(size: number): RecentMap<T> {
  const values = new Map<string, T>();
  return {
    getOrAdd: (key, make) => {
      const value = values.has(key) ? (values.get(key) as T) : make();
      // Moves it to the end of the map's order.
      values.delete(key);
      values.set(key, value);
      if (values.size > size) {
        const [oldest] = values.keys();
        if (oldest !== undefined) values.delete(oldest);
      }
      return value;
    },
  };
}

/** An Event with its occurrences since it was last written, and its count in the cluster, once known. */
interface EventSeries {
  readonly note: EventNote;
  unwritten: number;
  written?: number;
}

const WRITE_TIMEOUT_MS = 5000;

/**
 * Returns a function that writes the occurrences of a series since the last write. After a failure they remain
 * unwritten; a write whose answer was lost may be counted twice.
 */
function eventWriter(client: KubeClient, reporter: Reporter): (series: EventSeries) => Promise<void> {
  const options = { timeoutMs: WRITE_TIMEOUT_MS };
  const patch = (series: EventSeries, body: Partial<Event>): Promise<Event> =>
    client.patch<Event>(EVENTS, objectKey({ metadata: eventKey(series.note) }), { type: 'merge', body }, options);

  const create = async (series: EventSeries, count: number): Promise<void> => {
    try {
      await client.create<Event>(EVENTS, eventOf(series.note, reporter, { count, now: new Date() }), options);
      series.written = count;
    } catch (error) {
      if (!isApiError(error, 409, 'AlreadyExists')) throw error;
      // An earlier process wrote it. The answer to a patch contains its count, so no permission to read is needed.
      series.written = (await patch(series, { lastTimestamp: kubeTime(new Date()) })).count ?? 1;
      await repeat(series, count);
    }
  };
  const repeat = async (series: EventSeries, more: number): Promise<void> => {
    const count = (series.written ?? 0) + more;
    await patch(series, { count, lastTimestamp: kubeTime(new Date()) });
    series.written = count;
  };
  const repeatOrCreate = async (series: EventSeries, more: number): Promise<void> => {
    try {
      await repeat(series, more);
    } catch (error) {
      // The API server deletes Events, after an hour by default.
      if (!isApiError(error, 404)) throw error;
      await create(series, more);
    }
  };
  return async (series) => {
    const more = series.unwritten;
    if (series.written === undefined) await create(series, more);
    else await repeatOrCreate(series, more);
    // Subtracts instead of resetting to zero, because the note may have occurred again meanwhile.
    series.unwritten -= more;
  };
}
