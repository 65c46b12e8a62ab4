import { readRotationUnits } from '../../../../operator/api/rotation';
import { scheduleGaps } from '../../../constructs/rotation/schedule-gaps';
import type { KubernetesObject } from '../../../kubernetes/kubernetes-object';
import { isMap, type Value, type Values, valueAt } from '../../../kubernetes/values';
import type { RestartSchedule } from '../model';

/** Reads the jobs that renew certificates and restart what serves with them. */
export function schedulesIn(objects: readonly KubernetesObject[]): readonly RestartSchedule[] {
  return objects.filter(({ kind }) => kind === 'CronJob').flatMap(scheduleIn);
}

function scheduleIn(job: KubernetesObject): readonly RestartSchedule[] {
  const schedule = valueAt(job as Values, 'spec.schedule');
  const containers = valueAt(job as Values, 'spec.jobTemplate.spec.template.spec.containers');
  const [container] = Array.isArray(containers) ? (containers as readonly Value[]) : [];
  const args = isMap(container) && Array.isArray(container.args) ? container.args : [];
  if (typeof schedule !== 'string' || args[0] !== 'rotate') return [];
  const flag = (name: string) =>
    args.flatMap((arg: Value) => (typeof arg === 'string' && arg.startsWith(name) ? [arg.slice(name.length)] : []));
  const { units } = readRotationUnits({ units: flag('--unit='), trustRoots: flag('--trust-roots=') });
  const gap = gapOf(schedule);
  return [
    {
      name: `${job.metadata.namespace ?? ''}/${job.metadata.name}`,
      schedule,
      ...(gap !== undefined && { gap }),
      units: units.map(({ namespace, deployment, certificates }) => ({
        workload: `${namespace}/${deployment}`,
        certificates: certificates.map((name) => `${namespace}/${name}`),
      })),
    },
  ];
}

/** The synthesis checked it; whoever edited the file since may not have. */
function gapOf(schedule: string): number | undefined {
  try {
    const { longest } = scheduleGaps(schedule) ?? {};
    return longest !== undefined && Number.isFinite(longest) ? longest : undefined;
  } catch {
    return undefined;
  }
}
