import { isObject } from '#base/is-object';
import { matchesSelector } from '#base/label-selector';
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
  notSupported,
  object,
  objectIn,
  own,
  type RuleTable,
  required,
  textAt,
} from './check';
import {
  between,
  dnsLabel,
  intOrPercent,
  intOrPercentOfAll,
  matching,
  notNegative,
  numberOf,
  oneOf,
  orEmpty,
} from './scalars';

const runsForEver: Check = object((spec, findings) => {
  checkSelector(spec, findings);
  const pod = objectIn(objectIn(spec, 'template'), 'spec');
  if ((own(pod, 'restartPolicy') ?? 'Always') !== 'Always') {
    findings.refuse(notSupported(own(pod, 'restartPolicy'), ['Always']), 'template', 'spec', 'restartPolicy');
  }
  if (has(pod, 'activeDeadlineSeconds')) {
    findings.refuse(forbidden('runs-forever'), 'template', 'spec', 'activeDeadlineSeconds');
  }
});

function isWithoutValues(expression: unknown): boolean {
  if (!isObject(expression)) return false;
  return own(expression, 'operator') === 'In' && listIn(expression, 'values').length === 0;
}

function checkSelector(spec: Fields, findings: Findings): void {
  const selector = own(spec, 'selector');
  if (!isObject(selector)) return;
  if (!selects(selector)) {
    findings.refuse(invalid(selector, 'selector-empty'), 'selector');
    return;
  }
  // `SELECTOR_RULES` report an expression without values.
  if (listIn(selector, 'matchExpressions').some(isWithoutValues)) return;
  const labels = own(objectIn(objectIn(spec, 'template'), 'metadata'), 'labels');
  if (matchesSelector(selector, (isObject(labels) ? labels : {}) as Readonly<Record<string, string>>)) return;
  findings.refuseWhole(invalid(selector, 'selector-mismatch'), 'selector');
}

function selects(selector: unknown): boolean {
  const { matchLabels, matchExpressions } = isObject(selector) ? selector : {};
  return (
    Object.keys(isObject(matchLabels) ? matchLabels : {}).length > 0 ||
    (Array.isArray(matchExpressions) && matchExpressions.length > 0)
  );
}

/** Checks that a rolling update can proceed: it needs either unavailable or additional pods. */
const movesOn: Check = object((update, findings) => {
  if (!has(update, 'maxSurge') && !has(update, 'maxUnavailable')) return;
  if (numberOf(own(update, 'maxSurge') ?? 1) !== 0 || numberOf(own(update, 'maxUnavailable') ?? 1) !== 0) return;
  findings.refuseWhole(invalid(0, 'update-stuck'), 'maxUnavailable');
});

const oneWay: Check = object((update, findings) => {
  const surge = numberOf(own(update, 'maxSurge') ?? 0);
  const unavailable = numberOf(own(update, 'maxUnavailable') ?? 1);
  if ((surge === 0) !== (unavailable === 0)) return;
  findings.refuseWhole(
    invalid(own(update, 'maxSurge') ?? 0, surge === 0 ? 'daemon-set-stuck' : 'daemon-set-surge'),
    'maxSurge',
  );
});

function rolling(check: Check): Check {
  return object((strategy, findings) => {
    const type = own(strategy, 'type') ?? 'RollingUpdate';
    if (type === 'RollingUpdate') findings.at('rollingUpdate', own(strategy, 'rollingUpdate'), check);
    else if (has(strategy, 'rollingUpdate')) {
      findings.refuse(forbidden('update-type', { type: String(type) }), 'rollingUpdate');
    }
  });
}

const scaled = { minReadySeconds: notNegative, replicas: notNegative, revisionHistoryLimit: notNegative };

const budget = object((spec, findings) => {
  if (!has(spec, 'minAvailable') || !has(spec, 'maxUnavailable')) return;
  findings.refuseWhole(forbidden('one-of-several', { other: 'minAvailable' }), 'maxUnavailable');
});

const claimTemplate = all(
  needsSpec,
  fields({ metadata: fields({ name: dnsLabel }) }),
  object((claim, findings) => {
    if (textAt(objectIn(claim, 'metadata'), 'name') !== undefined) return;
    findings.refuseWhole(required('metadata.name', 'claim-name'));
  }),
);

/** Rules of objects that keep pods running. */
export const WORKLOAD_RULES: RuleTable = {
  DaemonSet: needsSpec,
  Deployment: needsSpec,
  ReplicaSet: needsSpec,
  StatefulSet: needsSpec,
  DeploymentSpec: all(
    fields({ ...scaled, progressDeadlineSeconds: notNegative }),
    runsForEver,
    object((spec, findings) => {
      const deadline = own(spec, 'progressDeadlineSeconds') ?? 600;
      const ready = own(spec, 'minReadySeconds') ?? 0;
      if (typeof deadline !== 'number' || typeof ready !== 'number' || deadline > ready || ready < 0) return;
      findings.refuseWhole(invalid(deadline, 'deadline', { ready }), 'progressDeadlineSeconds');
    }),
  ),
  DeploymentStrategy: rolling(all(fields({ maxSurge: intOrPercent, maxUnavailable: intOrPercentOfAll }), movesOn)),
  DaemonSetSpec: all(fields(scaled), runsForEver),
  DaemonSetUpdateStrategy: rollingOfDaemonSet(
    all(fields({ maxSurge: intOrPercentOfAll, maxUnavailable: intOrPercentOfAll }), oneWay),
  ),
  ReplicaSetSpec: all(fields(scaled), runsForEver),
  StatefulSetSpec: all(
    fields({
      // Unlike in other kinds, revisionHistoryLimit is not checked (ValidateStatefulSetSpec).
      replicas: notNegative,
      minReadySeconds: notNegative,
      ordinals: fields({ start: notNegative }),
      serviceName: orEmpty(dnsLabel),
      volumeClaimTemplates: each(claimTemplate),
    }),
    runsForEver,
  ),
  StatefulSetUpdateStrategy: rolling(fields({ partition: notNegative })),
  StatefulSetPersistentVolumeClaimRetentionPolicy: fields({
    whenDeleted: orEmpty(oneOf('Delete', 'Retain')),
    whenScaled: orEmpty(oneOf('Delete', 'Retain')),
  }),
  PodDisruptionBudgetSpec: all(fields({ minAvailable: intOrPercentOfAll, maxUnavailable: intOrPercentOfAll }), budget),
};

/** A DaemonSet ignores the settings of types other than RollingUpdate. */
function rollingOfDaemonSet(check: Check): Check {
  return object((strategy, findings) => {
    if ((own(strategy, 'type') ?? 'RollingUpdate') === 'RollingUpdate') {
      findings.at('rollingUpdate', own(strategy, 'rollingUpdate'), check);
    }
  });
}

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
    managedBy: matching(MANAGER, 'managed-by'),
    podReplacementPolicy: oneOf('Failed', 'TerminatingOrFailed'),
  }),
  object((spec, findings) => {
    const policy = own(objectIn(objectIn(spec, 'template'), 'spec'), 'restartPolicy') ?? 'Always';
    if (policy === 'Always') {
      findings.refuseWhole(invalid('Always', 'job-restarts'), 'template', 'spec', 'restartPolicy');
    }
    checkFailurePolicy(spec, policy, findings);
    if (own(spec, 'manualSelector') === true) {
      if (has(spec, 'selector')) checkSelector(spec, findings);
      else findings.refuseWhole(required('selector', 'manual-selector'));
    } else if (selects(own(spec, 'selector'))) {
      findings.refuse(forbidden('job-selector'), 'selector');
    }
    const isIndexed = own(spec, 'completionMode') === 'Indexed';
    if (isIndexed && !has(spec, 'completions') && has(spec, 'parallelism')) {
      findings.refuseWhole(required('completions', 'indexed-completions'));
    }
    if (isIndexed) {
      findings.at('parallelism', own(spec, 'parallelism'), between(0, 100_000));
      return;
    }
    for (const field of ['backoffLimitPerIndex', 'maxFailedIndexes', 'successPolicy']) {
      if (!has(spec, field)) continue;
      findings.refuse(forbidden('indexed-only'), field);
    }
  }),
);

const FAILURE_ACTIONS = oneOf('Count', 'FailIndex', 'FailJob', 'Ignore');

function checkFailurePolicy(spec: Fields, restartPolicy: unknown, findings: Findings): void {
  if (!has(spec, 'podFailurePolicy')) return;
  if (restartPolicy !== 'Never') {
    findings.refuse(forbidden('never-restarted'), 'podFailurePolicy');
  }
  const pod = objectIn(objectIn(spec, 'template'), 'spec');
  const names = ['containers', 'initContainers'].flatMap((field) =>
    listIn(pod, field).map((one) => own(one as Fields, 'name')),
  );
  const failureRule = object((rule) => {
    findings.at('action', own(rule, 'action'), FAILURE_ACTIONS);
    if (own(rule, 'action') === 'FailIndex' && !has(spec, 'backoffLimitPerIndex')) {
      findings.refuse(invalid('FailIndex', 'fail-index'), 'action');
    }
    if (has(rule, 'onExitCodes') === listIn(rule, 'onPodConditions').length > 0) {
      findings.refuseWhole(
        has(rule, 'onExitCodes')
          ? forbidden('one-of-several', { other: 'onExitCodes' })
          : required('onExitCodes or onPodConditions', 'one-of-several'),
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
        findings.refuse(invalid(values, 'exit-codes'), 'values');
      }
      const name = own(codes, 'containerName');
      if (name === undefined || name === null || names.includes(name)) return;
      findings.refuse(invalid(name, 'container-unknown'), 'containerName');
    }),
  );

/**
 * The API server looks up time zones in its own database, so only their form can be checked.
 */
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
    timeZone: matching(TIME_ZONE, 'time-zone'),
    jobTemplate: fields({
      spec: object((spec, findings) => {
        // If a Job has neither field, API servers set both, but not in a template (SetDefaults_Job).
        const isIndexed = own(spec, 'completionMode') === 'Indexed';
        if (isIndexed && !has(spec, 'completions') && !has(spec, 'parallelism')) {
          findings.refuseWhole(required('completions', 'indexed-completions'));
        }
        for (const field of ['selector', 'manualSelector']) {
          if (!has(spec, field) || own(spec, field) === false) continue;
          findings.refuse(forbidden('cron-job-selector'), field);
        }
      }),
    }),
  }),
};
