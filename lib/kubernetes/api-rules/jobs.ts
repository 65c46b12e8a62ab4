import {
  all,
  type Check,
  each,
  type Fields,
  type Findings,
  fields,
  forbidden,
  has,
  invalid,
  listIn,
  needsSpec,
  object,
  objectIn,
  own,
  required,
} from './check';
import type { RuleTable } from './rule-table';
import { between, matching, notNegative, oneOf } from './scalars';
import { checkSelector, selects } from './workloads';

/** A domain, a slash and a path. */
const MANAGER =
  /^(?=.{1,63}$)[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*\/[-A-Za-z0-9/\\~!@#$%&*()_+=:;'",.?|^]+$/;

const job: Check = all(
  fields({
    parallelism: notNegative,
    completions: notNegative,
    activeDeadlineSeconds: notNegative,
    backoffLimit: notNegative,
    ttlSecondsAfterFinished: notNegative,
    backoffLimitPerIndex: notNegative,
    maxFailedIndexes: notNegative,
    managedBy: matching(MANAGER, 'it must be a domain, "/" and a name', 'write "example.com/controller"'),
    podReplacementPolicy: oneOf('Failed', 'TerminatingOrFailed'),
  }),
  object((spec, findings) => {
    const policy = own(objectIn(objectIn(spec, 'template'), 'spec'), 'restartPolicy') ?? 'Always';
    if (policy === 'Always') {
      findings.refuseWhole(
        invalid('Always', 'the pods of a Job end, and Always is the default', 'write OnFailure or Never'),
        'template',
        'spec',
        'restartPolicy',
      );
    }
    checkFailurePolicy(spec, policy, findings);
    if (own(spec, 'manualSelector') === true) {
      if (has(spec, 'selector')) checkSelector(spec, findings);
      else findings.refuseWhole(required('selector', 'manualSelector is true', 'add the selector'));
    } else if (selects(own(spec, 'selector'))) {
      findings.refuse(forbidden('a Job generates its own selector', 'remove it, or set manualSelector'), 'selector');
    }
    const isIndexed = own(spec, 'completionMode') === 'Indexed';
    if (isIndexed && !has(spec, 'completions') && has(spec, 'parallelism')) {
      findings.refuseWhole(required('completions', 'completionMode is Indexed', 'set completions'));
    }
    if (isIndexed) {
      findings.at('parallelism', own(spec, 'parallelism'), between(0, 100_000));
      return;
    }
    for (const field of ['backoffLimitPerIndex', 'maxFailedIndexes', 'successPolicy']) {
      if (!has(spec, field)) continue;
      findings.refuse(forbidden('only a Job with completionMode: Indexed has it', 'remove it'), field);
    }
  }),
);

const FAILURE_ACTIONS = oneOf('Count', 'FailIndex', 'FailJob', 'Ignore');

function checkFailurePolicy(spec: Fields, restartPolicy: unknown, findings: Findings): void {
  if (!has(spec, 'podFailurePolicy')) return;
  if (restartPolicy !== 'Never') {
    findings.refuse(
      forbidden('only a Job with restartPolicy: Never has it', 'set restartPolicy: Never, or remove it'),
      'podFailurePolicy',
    );
  }
  const pod = objectIn(objectIn(spec, 'template'), 'spec');
  const names = ['containers', 'initContainers'].flatMap((field) =>
    listIn(pod, field).map((one) => own(one as Fields, 'name')),
  );
  const failureRule = object((rule) => {
    findings.at('action', own(rule, 'action'), FAILURE_ACTIONS);
    if (own(rule, 'action') === 'FailIndex' && !has(spec, 'backoffLimitPerIndex')) {
      findings.refuse(invalid('FailIndex', 'it requires backoffLimitPerIndex', 'write FailJob'), 'action');
    }
    if (has(rule, 'onExitCodes') === listIn(rule, 'onPodConditions').length > 0) {
      findings.refuseWhole(
        has(rule, 'onExitCodes')
          ? forbidden('onExitCodes is set, and a rule has one of them', 'keep one of them')
          : required('onExitCodes or onPodConditions', 'a rule has one of them', 'add one of them'),
        ...(has(rule, 'onExitCodes') ? ['onPodConditions'] : []),
      );
    }
    findings.at('onExitCodes', own(rule, 'onExitCodes'), exitCodes(names));
  });
  findings.at('podFailurePolicy', own(spec, 'podFailurePolicy'), fields({ rules: each(failureRule) }));
}

const exitCodes = (names: readonly unknown[]): Check =>
  all(
    fields({ operator: oneOf('In', 'NotIn') }),
    object((codes, findings) => {
      const values = listIn(codes, 'values');
      const isOrdered = values.every((value, index) => index === 0 || Number(value) > Number(values[index - 1]));
      if (values.length === 0 || !isOrdered || (own(codes, 'operator') === 'In' && values.includes(0))) {
        findings.refuse(
          invalid(values, 'the exit codes are in order, and In does not accept 0', 'write them in order, without 0'),
          'values',
        );
      }
      const name = own(codes, 'containerName');
      if (name === undefined || name === null || names.includes(name)) return;
      findings.refuse(
        invalid(name, 'the pod has no container of that name', 'write the name of a container of the pod'),
        'containerName',
      );
    }),
  );

/** Time zones are looked up on the API server, which may know others than we do: only their form is certain. */
const TIME_ZONE = /^(?!local$)(?!.*(?:^|\/)(?:-|\.{1,2}(?:\/|$)))[-A-Za-z._0-9+]{1,14}(?:\/[-A-Za-z._0-9+]{1,14})*$/i;

/** Rules of Jobs and CronJobs. */
export const JOB_RULES: RuleTable = {
  CronJob: needsSpec,
  Job: needsSpec,
  JobTemplateSpec: needsSpec,
  JobSpec: job,
  CronJobSpec: fields({
    startingDeadlineSeconds: notNegative,
    successfulJobsHistoryLimit: notNegative,
    failedJobsHistoryLimit: notNegative,
    timeZone: matching(TIME_ZONE, 'it must be the name of a time zone', 'write one such as Europe/Zurich'),
    jobTemplate: fields({
      spec: object((spec, findings) => {
        for (const field of ['selector', 'manualSelector']) {
          if (!has(spec, field) || own(spec, field) === false) continue;
          findings.refuse(forbidden('each Job of a CronJob generates its own selector', 'remove it'), field);
        }
      }),
    }),
  }),
};
