import { Cron } from 'cdk8s';
import { checkClass } from '../../kubernetes/cdk8s-values';
import { checkCron } from '../../kubernetes/cron';
import type { Problem } from '../../kubernetes/findings/problem';
import type { Values } from '../../kubernetes/values';
import { heartbeatTime } from './heartbeat-time';

/** The schedule of a cluster's heartbeat, once a day. */
export function heartbeatSchedule(name: string): Cron {
  return Cron.schedule({ ...heartbeatTime(name) });
}

/** Reports what of the schedule Kubernetes would refuse: that of the prop, or else that of the values. */
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
