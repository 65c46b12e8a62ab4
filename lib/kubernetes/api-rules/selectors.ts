import { all, type Check, each, fields, has, listIn, object, own, REFUSES } from './check';
import type { RuleTable } from './rule-table';
import { between, dnsLabel, labelKey, labels, labelValue } from './scalars';

/** `In` and `NotIn` compare with values, the others do not. */
const operatorAndValues = object((requirement, findings) => {
  const operator = own(requirement, 'operator');
  const { length } = listIn(requirement, 'values');
  if ((operator === 'In' || operator === 'NotIn') && length === 0) {
    findings.refuseWhole({
      code: 'operator-values-mismatch',
      says: `has the operator ${operator} without values`,
      why: `${REFUSES}: it compares with values`,
      fix: 'add a value, or use Exists or DoesNotExist',
    });
  }
  if ((operator === 'Exists' || operator === 'DoesNotExist') && length > 0) {
    findings.refuseWhole({
      code: 'operator-values-mismatch',
      says: `has the operator ${operator} and values`,
      why: `${REFUSES}: it asks only whether there is such a key`,
      fix: `remove the values, or use ${operator === 'Exists' ? 'In' : 'NotIn'}`,
    });
  }
  if ((operator === 'Gt' || operator === 'Lt') && length !== 1) {
    findings.refuseWhole({
      code: 'operator-values-mismatch',
      says: `has the operator ${operator} and ${length} values`,
      why: `${REFUSES}: it compares with one number`,
      fix: 'give it one value',
    });
  }
});

/** A requirement on the labels of nodes: the values of those that are only preferred are free. */
const nodeRequirement = (isRequired: boolean) =>
  all(operatorAndValues, fields({ key: labelKey, ...(isRequired && { values: each(labelValue) }) }));

/** The only field of nodes that can be asked for is the name. */
const nodeField = object((requirement, findings) => {
  const operator = own(requirement, 'operator');
  if (own(requirement, 'key') !== 'metadata.name') {
    findings.refuseValue(
      own(requirement, 'key'),
      `${REFUSES}: it knows only metadata.name`,
      'write metadata.name',
      'key',
    );
  }
  if (operator !== 'In' && operator !== 'NotIn') {
    findings.refuseValue(operator, `${REFUSES}: the name of a node is In or NotIn`, 'write In or NotIn', 'operator');
  } else if (listIn(requirement, 'values').length !== 1) {
    findings.refuseWhole({
      code: 'operator-values-mismatch',
      says: 'has not exactly one value',
      why: `${REFUSES}: it takes one name`,
      fix: 'give it one name',
    });
  }
});

const nodeTerm = (isRequired: boolean) =>
  fields({ matchExpressions: each(nodeRequirement(isRequired)), matchFields: each(nodeField) });

const weight = between(1, 100);

/** Keys that the scheduler reads of the pod itself: labels that the selector does not name, with a selector. */
const matchLabelKeys: Check = object((term, findings) => {
  for (const field of ['matchLabelKeys', 'mismatchLabelKeys']) {
    if (listIn(term, field).length > 0 && !has(term, 'labelSelector')) {
      findings.refuseWhole(
        {
          code: 'field-missing',
          says: 'is without a labelSelector',
          why: `${REFUSES}: it narrows that selector`,
          fix: 'add the labelSelector',
        },
        field,
      );
    }
  }
  const mismatching = listIn(term, 'mismatchLabelKeys');
  const both = listIn(term, 'matchLabelKeys').find((key) => mismatching.includes(key));
  if (both !== undefined) {
    findings.refuseWhole({
      code: 'fields-clash',
      says: `has "${both}" in matchLabelKeys and mismatchLabelKeys`,
      why: `${REFUSES}: a label is either equal or not`,
      fix: 'remove it from one of them',
    });
  }
});

/** Rules of selectors, among them those of where pods may be. */
export const SELECTOR_RULES: RuleTable = {
  LabelSelector: fields({
    matchLabels: labels,
    matchExpressions: each(all(operatorAndValues, fields({ key: labelKey, values: each(labelValue) }))),
  }),
  NodeAffinity: fields({
    requiredDuringSchedulingIgnoredDuringExecution: fields({
      nodeSelectorTerms: all(
        (value, findings) => {
          if (Array.isArray(value) && value.length === 0) {
            findings.refuse({
              code: 'empty-list',
              says: 'is an empty list',
              why: `${REFUSES}: it needs a term`,
              fix: 'add a term',
            });
          }
        },
        each(nodeTerm(true)),
      ),
    }),
    preferredDuringSchedulingIgnoredDuringExecution: each(fields({ weight, preference: nodeTerm(false) })),
  }),
  WeightedPodAffinityTerm: fields({ weight }),
  PodAffinityTerm: all(
    matchLabelKeys,
    fields({
      namespaces: each(dnsLabel),
      topologyKey: labelKey,
      matchLabelKeys: each(labelKey),
      mismatchLabelKeys: each(labelKey),
    }),
  ),
  TopologySpreadConstraint: all(
    matchLabelKeys,
    fields({
      maxSkew: between(1, Number.POSITIVE_INFINITY),
      minDomains: between(1, Number.POSITIVE_INFINITY),
      matchLabelKeys: each(labelKey),
    }),
    object((constraint, findings) => {
      if (own(constraint, 'topologyKey') === '') {
        findings.refuseValue('', `${REFUSES}: pods are spread over something`, 'name a label of nodes', 'topologyKey');
      }
      if (has(constraint, 'minDomains') && own(constraint, 'whenUnsatisfiable') !== 'DoNotSchedule') {
        findings.refuse(
          {
            code: 'field-not-allowed',
            says: 'is set',
            why: `${REFUSES} unless whenUnsatisfiable is DoNotSchedule`,
            fix: 'remove it',
          },
          'minDomains',
        );
      }
      for (const field of ['nodeAffinityPolicy', 'nodeTaintsPolicy']) {
        const value = own(constraint, field);
        if (typeof value === 'string' && value !== 'Honor' && value !== 'Ignore') {
          findings.refuseValue(value, `${REFUSES}: it knows Honor and Ignore`, 'write Honor or Ignore', field);
        }
      }
    }),
  ),
  Toleration: all(
    fields({ key: (value, findings) => (value === '' ? undefined : labelKey(value, findings)) }),
    object((toleration, findings) => {
      const operator = own(toleration, 'operator') ?? 'Equal';
      const key = own(toleration, 'key') ?? '';
      const value = own(toleration, 'value') ?? '';
      if (key === '' && operator !== 'Exists') {
        findings.refuseWhole({
          code: 'toleration-refused',
          says: 'has no key, and an operator other than Exists',
          why: `${REFUSES}: without a key it tolerates all taints, which is Exists`,
          fix: 'set the key, or operator: Exists',
        });
      }
      if (has(toleration, 'tolerationSeconds') && own(toleration, 'effect') !== 'NoExecute') {
        findings.refuseWhole({
          code: 'toleration-refused',
          says: 'has tolerationSeconds, and an effect other than NoExecute',
          why: `${REFUSES}: only pods that would be evicted can stay for a time`,
          fix: 'set effect: NoExecute, or remove tolerationSeconds',
        });
      }
      if (operator === 'Exists' && value !== '') {
        findings.refuseWhole({
          code: 'toleration-refused',
          says: 'has the operator Exists and a value',
          why: `${REFUSES}: Exists tolerates all values`,
          fix: 'remove the value, or set operator: Equal',
        });
      }
      if (operator !== 'Exists') findings.at('value', value, labelValue);
    }),
  ),
};
