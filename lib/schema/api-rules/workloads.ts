import { matchesSelector } from '../../kubernetes/label-selector';
import { isObject } from '../../kubernetes/select-fields';
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

/** Selector and pods of what runs for ever. */
const runsForEver: Check = object((spec, findings) => {
  checkSelector(spec, findings);
  const pod = objectIn(objectIn(spec, 'template'), 'spec');
  if ((own(pod, 'restartPolicy') ?? 'Always') !== 'Always') {
    findings.refuseValue(
      own(pod, 'restartPolicy'),
      `${REFUSES}: pods that are to run always are restarted always`,
      'remove it, or make a Job',
      'template',
      'spec',
      'restartPolicy',
    );
  }
  if (has(pod, 'activeDeadlineSeconds')) {
    findings.refuse(
      {
        code: 'field-not-allowed',
        says: 'is set',
        why: `${REFUSES}: these pods are to run always`,
        fix: 'remove it, or make a Job',
      },
      'template',
      'spec',
      'activeDeadlineSeconds',
    );
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
    findings.refuse(
      { code: 'selector-empty', says: 'is empty', why: `${REFUSES}: it would select all pods`, fix: 'add matchLabels' },
      'selector',
    );
    return;
  }
  // What cannot select anything is reported itself.
  if (listIn(selector, 'matchExpressions').some(isWithoutValues)) return;
  const labels = own(objectIn(objectIn(spec, 'template'), 'metadata'), 'labels');
  if (matchesSelector(selector, (isObject(labels) ? labels : {}) as Readonly<Record<string, string>>)) return;
  findings.refuse({
    code: 'selector-misses-template',
    says: 'has a selector that its own template does not satisfy',
    why: `${REFUSES}: it would never find its pods`,
    fix: 'give template.metadata.labels the labels that the selector asks for',
  });
}

/** Tells whether a selector asks for anything. */
function selects(selector: unknown): boolean {
  const { matchLabels, matchExpressions } = isObject(selector) ? selector : {};
  return (
    Object.keys(isObject(matchLabels) ? matchLabels : {}).length > 0 ||
    (Array.isArray(matchExpressions) && matchExpressions.length > 0)
  );
}

/** Checks that something can give way in an update that goes pod by pod: old pods or the number of pods. */
const movesOn: Check = object((update, findings) => {
  if (!has(update, 'maxSurge') && !has(update, 'maxUnavailable')) return;
  if (numberOf(own(update, 'maxSurge') ?? 1) !== 0 || numberOf(own(update, 'maxUnavailable') ?? 1) !== 0) return;
  findings.refuse({
    code: 'update-never-moves',
    says: 'has maxSurge and maxUnavailable of 0',
    why: `${REFUSES}: no pod could be replaced`,
    fix: 'set one of them to 1 or more',
  });
});

/** A DaemonSet replaces the pod of a node either before or after it starts another one. */
const oneWay: Check = object((update, findings) => {
  const surge = numberOf(own(update, 'maxSurge') ?? 0);
  const unavailable = numberOf(own(update, 'maxUnavailable') ?? 1);
  if ((surge === 0) !== (unavailable === 0)) return;
  findings.refuse({
    code: 'update-never-moves',
    says: surge === 0 ? 'has maxSurge and maxUnavailable of 0' : 'has maxSurge without maxUnavailable: 0',
    why: `${REFUSES}: exactly one of the two is 0 in a DaemonSet`,
    fix: surge === 0 ? 'set one of them to 1 or more' : 'set maxUnavailable: 0, or remove maxSurge',
  });
});

/** Only a rolling update has settings. */
function rolling(check: Check): Check {
  return object((strategy, findings) => {
    const type = own(strategy, 'type') ?? 'RollingUpdate';
    if (type === 'RollingUpdate') findings.at('rollingUpdate', own(strategy, 'rollingUpdate'), check);
    else if (has(strategy, 'rollingUpdate')) {
      findings.refuse(
        {
          code: 'field-not-allowed',
          says: 'is set',
          why: `${REFUSES} with type ${String(type)}`,
          fix: 'remove it, or set type: RollingUpdate',
        },
        'rollingUpdate',
      );
    }
  });
}

const scaled = { minReadySeconds: notNegative, replicas: notNegative, revisionHistoryLimit: notNegative };

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
      findings.refuse(
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
        findings.refuse({
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
      findings.refuse(
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
      findings.refuse({
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

const budget = object((spec, findings) => {
  if (!has(spec, 'minAvailable') || !has(spec, 'maxUnavailable')) return;
  findings.refuse({
    code: 'fields-clash',
    says: 'has minAvailable and maxUnavailable',
    why: `${REFUSES}: each follows from the other`,
    fix: 'keep one of them',
  });
});

/** Rules of objects that run pods. */
export const WORKLOAD_RULES: RuleTable = {
  CronJob: needsSpec,
  DaemonSet: needsSpec,
  Deployment: needsSpec,
  Job: needsSpec,
  JobTemplateSpec: needsSpec,
  ReplicaSet: needsSpec,
  StatefulSet: needsSpec,
  DeploymentSpec: all(
    fields({ ...scaled, progressDeadlineSeconds: notNegative }),
    runsForEver,
    object((spec, findings) => {
      const deadline = own(spec, 'progressDeadlineSeconds') ?? 600;
      const ready = own(spec, 'minReadySeconds') ?? 0;
      if (typeof deadline !== 'number' || typeof ready !== 'number' || deadline > ready || ready < 0) return;
      findings.refuse({
        code: 'deadline-too-short',
        says: `has a progressDeadlineSeconds of ${deadline}, and a minReadySeconds of ${ready}`,
        why: `${REFUSES}: no update would be done in time`,
        fix: 'set progressDeadlineSeconds to more than minReadySeconds',
      });
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
      ...scaled,
      ordinals: fields({ start: notNegative }),
      serviceName: orEmpty(dnsLabel),
      volumeClaimTemplates: each(fields({ metadata: fields({ name: dnsLabel }) })),
    }),
    runsForEver,
  ),
  StatefulSetUpdateStrategy: rolling(fields({ partition: notNegative })),
  StatefulSetPersistentVolumeClaimRetentionPolicy: fields({
    whenDeleted: oneOf('Delete', 'Retain'),
    whenScaled: oneOf('Delete', 'Retain'),
  }),
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
  PodDisruptionBudgetSpec: all(fields({ minAvailable: intOrPercentOfAll, maxUnavailable: intOrPercentOfAll }), budget),
};

/** Settings of another type than RollingUpdate are passed over in a DaemonSet. */
function rollingOfDaemonSet(check: Check): Check {
  return object((strategy, findings) => {
    if ((own(strategy, 'type') ?? 'RollingUpdate') === 'RollingUpdate') {
      findings.at('rollingUpdate', own(strategy, 'rollingUpdate'), check);
    }
  });
}
