import { isApiError } from '../client/api-error';
import type { KubeClient } from '../client/kube-client';
import { EVENTS } from '../objects/built-in-resources';
import { objectKey } from '../objects/kube-object';
import { kubeTime } from '../objects/kube-time';
import { type Event, type EventNote, eventKey, eventOf, type Reporter } from './event';

/** An Event with its occurrences since it was last written, and its count in the cluster, once known. */
export interface EventSeries {
  readonly note: EventNote;
  unwritten: number;
  written?: number;
}

const WRITE_TIMEOUT_MS = 5000;

/**
 * Returns a function that writes the occurrences of a series since the last write. After a failure they remain
 * unwritten; a write whose answer was lost may be counted twice.
 */
export function eventWriter(client: KubeClient, reporter: Reporter): (series: EventSeries) => Promise<void> {
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
    // Not zero: it may have occurred again meanwhile.
    series.unwritten -= more;
  };
}
