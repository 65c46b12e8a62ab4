import { Cron } from 'cdk8s';
import type { Problem } from '#base/findings/problem';
import type { Values } from '#base/values';
import { checkCron } from '#kubernetes/cron';
import { checkClass } from '#kubernetes/options/cdk8s-values';

/**
 * Returns a time of day derived from a name: one schedule per cluster, with the clusters of a fleet spread over the
 * day.
 *
 * The chart's own default is "ten minutes from now", which makes every render different.
 */
export function heartbeatTime(name: string): Readonly<Record<'minute' | 'hour', string>> {
  const minuteOfDay = fnv1a(name) % (24 * 60);
  return { minute: `${minuteOfDay % 60}`, hour: `${Math.floor(minuteOfDay / 60)}` };
}

/** Returns the 32-bit FNV-1a hash of a string's UTF-16 code units. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  }
  return hash;
}

/** Returns the schedule of a cluster's heartbeat, once a day. */
export function heartbeatSchedule(name: string): Cron {
  return Cron.schedule({ ...heartbeatTime(name) });
}

/** Reports a schedule that Kubernetes would refuse: that of the prop, or else that of the values. */
export function checkHeartbeat(
  heartbeat: Cron | false | undefined,
  { heartbeatSchedule: schedule, disableHeartBeat }: Values,
): readonly Problem[] {
  if (heartbeat !== undefined && heartbeat !== false) {
    const problems = checkClass('Cron', 'heartbeat', heartbeat);
    return problems.length > 0 ? problems : checkCron('heartbeat', heartbeat.expressionString);
  }
  if (disableHeartBeat === true || typeof schedule !== 'string') return [];
  return checkCron('values.heartbeatSchedule', schedule);
}
