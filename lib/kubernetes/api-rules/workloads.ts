import { matchesSelector } from '../label-selector';
import { isObject } from '../select-fields';
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
} from './check';
import type { RuleTable } from './rule-table';
import { dnsLabel, intOrPercent, intOrPercentOfAll, notNegative, numberOf, oneOf, orEmpty } from './scalars';

/** Selector and pods of what runs for ever. */
const runsForEver: Check = object((spec, findings) => {
  checkSelector(spec, findings);
  const pod = objectIn(objectIn(spec, 'template'), 'spec');
  if ((own(pod, 'restartPolicy') ?? 'Always') !== 'Always') {
    findings.refuse(notSupported(own(pod, 'restartPolicy'), ['Always']), 'template', 'spec', 'restartPolicy');
  }
  if (has(pod, 'activeDeadlineSeconds')) {
    findings.refuse(
      forbidden('the pods of this kind run forever', 'remove it, or create a Job'),
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

export function checkSelector(spec: Fields, findings: Findings): void {
  const selector = own(spec, 'selector');
  if (!isObject(selector)) return;
  if (!selects(selector)) {
    findings.refuse(invalid(selector, 'an empty selector selects all pods', 'add matchLabels'), 'selector');
    return;
  }
  // What cannot select anything is reported itself.
  if (listIn(selector, 'matchExpressions').some(isWithoutValues)) return;
  const labels = own(objectIn(objectIn(spec, 'template'), 'metadata'), 'labels');
  if (matchesSelector(selector, (isObject(labels) ? labels : {}) as Readonly<Record<string, string>>)) return;
  findings.refuseWhole(
    invalid(
      selector,
      'it does not select the pods of its own template',
      'set the labels that it selects in template.metadata.labels',
    ),
    'selector',
  );
}

/** Tells whether a selector asks for anything. */
export function selects(selector: unknown): boolean {
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
  findings.refuseWhole(
    invalid(0, 'maxSurge is 0, too, so that no pod could be replaced', 'set one of them to 1 or more'),
    'maxUnavailable',
  );
});

/** A DaemonSet replaces the pod of a node either before or after it starts another one. */
const oneWay: Check = object((update, findings) => {
  const surge = numberOf(own(update, 'maxSurge') ?? 0);
  const unavailable = numberOf(own(update, 'maxUnavailable') ?? 1);
  if ((surge === 0) !== (unavailable === 0)) return;
  findings.refuseWhole(
    invalid(
      own(update, 'maxSurge') ?? 0,
      'in a DaemonSet, exactly one of maxSurge and maxUnavailable is 0',
      surge === 0 ? 'set one of them to 1 or more' : 'set maxUnavailable: 0, or remove maxSurge',
    ),
    'maxSurge',
  );
});

/** Only a rolling update has settings. */
function rolling(check: Check): Check {
  return object((strategy, findings) => {
    const type = own(strategy, 'type') ?? 'RollingUpdate';
    if (type === 'RollingUpdate') findings.at('rollingUpdate', own(strategy, 'rollingUpdate'), check);
    else if (has(strategy, 'rollingUpdate')) {
      findings.refuse(
        forbidden(`the type is ${String(type)}`, 'remove it, or set type: RollingUpdate'),
        'rollingUpdate',
      );
    }
  });
}

const scaled = { minReadySeconds: notNegative, replicas: notNegative, revisionHistoryLimit: notNegative };

const budget = object((spec, findings) => {
  if (!has(spec, 'minAvailable') || !has(spec, 'maxUnavailable')) return;
  findings.refuseWhole(
    forbidden('minAvailable is set, and a budget has one of them', 'keep one of them'),
    'maxUnavailable',
  );
});

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
      findings.refuseWhole(
        invalid(deadline, `it must be more than minReadySeconds, which is ${ready}`, 'set it to a larger number'),
        'progressDeadlineSeconds',
      );
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
