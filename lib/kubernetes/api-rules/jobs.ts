import {
  all,
  type Check,
  each,
  type Fields,
  type Findings,
  fields,
  has,
  listIn,
  needsSpec,
  object,
  objectIn,
  own,
  REFUSES,
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
    managedBy: matching(MANAGER, 'it is a domain, "/" and a name', 'write "example.com/controller"'),
    podReplacementPolicy: oneOf('Failed', 'TerminatingOrFailed'),
  }),
  object((spec, findings) => {
    const policy = own(objectIn(objectIn(spec, 'template'), 'spec'), 'restartPolicy') ?? 'Always';
    if (policy === 'Always') {
      findings.refuseWhole(
        {
          code: 'restart-policy-refused',
          says: 'is Always, which is the default',
          why: `${REFUSES}: the pods of a Job end`,
          fix: 'write OnFailure or Never',
        },
        'template',
        'spec',
        'restartPolicy',
      );
    }
    checkFailurePolicy(spec, policy, findings);
    if (own(spec, 'manualSelector') === true) {
      if (has(spec, 'selector')) checkSelector(spec, findings);
      else
        findings.refuseWhole({
          code: 'field-missing',
          says: 'has manualSelector, and no selector',
          why: `${REFUSES}: it would find no pods`,
          fix: 'add the selector',
        });
    } else if (selects(own(spec, 'selector'))) {
      findings.refuse(
        {
          code: 'field-not-allowed',
          says: 'is set',
          why: `${REFUSES}: a Job makes its own`,
          fix: 'remove it, or set manualSelector',
        },
        'selector',
      );
    }
    const isIndexed = own(spec, 'completionMode') === 'Indexed';
    if (isIndexed && !has(spec, 'completions') && has(spec, 'parallelism')) {
      findings.refuseWhole(
        {
          code: 'field-missing',
          says: 'is Indexed, and has no completions',
          why: `${REFUSES}: each index completes`,
          fix: 'set completions',
        },
        'completionMode',
      );
    }
    if (isIndexed) {
      findings.at('parallelism', own(spec, 'parallelism'), between(0, 100_000));
      return;
    }
    for (const field of ['backoffLimitPerIndex', 'maxFailedIndexes', 'successPolicy']) {
      if (!has(spec, field)) continue;
      findings.refuse(
        {
          code: 'field-not-allowed',
          says: 'is set',
          why: `${REFUSES} unless completionMode is Indexed`,
          fix: 'remove it',
        },
        field,
      );
    }
  }),
);

const FAILURE_ACTIONS = oneOf('Count', 'FailIndex', 'FailJob', 'Ignore');

function checkFailurePolicy(spec: Fields, restartPolicy: unknown, findings: Findings): void {
  if (!has(spec, 'podFailurePolicy')) return;
  if (restartPolicy !== 'Never') {
    findings.refuse(
      {
        code: 'field-not-allowed',
        says: 'is set',
        why: `${REFUSES} unless restartPolicy is Never`,
        fix: 'set restartPolicy: Never, or remove it',
      },
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
      findings.refuseValue('FailIndex', `${REFUSES} without backoffLimitPerIndex`, 'write FailJob', 'action');
    }
    if (has(rule, 'onExitCodes') === listIn(rule, 'onPodConditions').length > 0) {
      findings.refuseWhole({
        code: 'not-exactly-one',
        says: 'has not exactly one of onExitCodes and onPodConditions',
        why: `${REFUSES}: a rule is about one of them`,
        fix: 'keep one of them',
      });
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
        findings.refuseValue(
          values,
          `${REFUSES}: codes are in order, and "In" is not about 0`,
          'write them in order',
          'values',
        );
      }
      const name = own(codes, 'containerName');
      if (name === undefined || name === null || names.includes(name)) return;
      findings.refuseValue(
        name,
        `${REFUSES}: the pod has no container of that name`,
        'name one that there is',
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
    timeZone: matching(TIME_ZONE, 'it is no time zone', 'write one such as Europe/Zurich'),
    jobTemplate: fields({
      spec: object((spec, findings) => {
        for (const field of ['selector', 'manualSelector']) {
          if (!has(spec, field) || own(spec, field) === false) continue;
          findings.refuse(
            { code: 'field-not-allowed', says: 'is set', why: `${REFUSES}: each Job gets its own`, fix: 'remove it' },
            field,
          );
        }
      }),
    }),
  }),
};
