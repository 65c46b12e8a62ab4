import { checkCron } from '../cron';
import type { Problem } from '../findings/problem';
import { describeObject, type KubernetesObject } from '../kubernetes-object';
import { POD_SPEC } from '../pod-spec';
import { apiGroup } from '../scope';
import { fieldPath, isObject, selectFields, textIn } from '../select-fields';
import { OBJECT_CHECKS } from './findings';
import type { ObjectRule } from './object-rule';

const CONTAINERS = new Map(
  ['batch/CronJob', 'batch/Job'].map((kind) => [kind, fieldPath(`${POD_SPEC[kind]}.containers[]`)]),
);

/** The rule for Jobs and CronJobs. */
export const JOB: ObjectRule = { kinds: [...CONTAINERS.keys()], check: checkJob };

/** Reports what keeps a Job from running, or from doing one thing after the other. */
export function checkJob(object: KubernetesObject): readonly Problem[] {
  const containers = CONTAINERS.get(`${apiGroup(object.apiVersion)}/${object.kind}`);
  if (containers === undefined) return [];
  const name = describeObject(object);
  const { schedule } = isObject(object.spec) ? object.spec : {};
  const steps = selectFields(object, containers).filter(({ value }) => runsKubectl(value));
  return [
    ...(object.kind === 'CronJob' && typeof schedule === 'string'
      ? checkCron('spec.schedule', schedule).map((problem) => ({ ...problem, place: name }))
      : []),
    ...(steps.length > 1
      ? [
          race(
            name,
            steps.map(({ field, value }) => textIn(value, 'name') ?? field),
          ),
        ]
      : []),
  ];
}

/** Tells whether kubectl is the program of a container, of its shell script, or of its image. */
function runsKubectl(container: unknown): boolean {
  const { command = [], args = [] } = isObject(container) ? container : {};
  const words = [command, args].flat().filter((word) => typeof word === 'string');
  if (words.some((word) => /(?:^|[\s/;&|(])kubectl(?:\s|$)/.test(word))) return true;
  return [command].flat().length === 0 && /(?:^|\/)kubectl(?:[:@]|$)/.test(textIn(container, 'image') ?? '');
}

function race(name: string, steps: readonly string[]): Problem {
  return OBJECT_CHECKS.containersRace({ job: name, containers: steps.join(' and ') });
}
