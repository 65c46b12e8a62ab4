import type { RuleTable } from './check';
import {
  all,
  type Check,
  each,
  fields,
  forbidden,
  has,
  invalid,
  listIn,
  notSupported,
  object,
  own,
  required,
} from './check';
import { between, dnsLabel, labelKey, labels, labelValue } from './scalars';

const operatorAndValues = object((requirement, findings) => {
  const operator = own(requirement, 'operator');
  const { length } = listIn(requirement, 'values');
  if ((operator === 'In' || operator === 'NotIn') && length === 0) {
    findings.refuseWhole(required('values', 'operator-values', { operator }));
  }
  if ((operator === 'Exists' || operator === 'DoesNotExist') && length > 0) {
    findings.refuseWhole(
      forbidden('operator-without-values', { operator, instead: operator === 'Exists' ? 'In' : 'NotIn' }),
      'values',
    );
  }
  if ((operator === 'Gt' || operator === 'Lt') && length !== 1) {
    findings.refuseWhole(invalid(own(requirement, 'values') ?? [], 'one-number', { operator }), 'values');
  }
});

/** Preferred requirements may have any values. */
const nodeRequirement = (isRequired: boolean) =>
  all(operatorAndValues, fields({ key: labelKey, ...(isRequired && { values: each(labelValue) }) }));

/** The name is the only field of nodes that can be selected. */
const nodeField = object((requirement, findings) => {
  const operator = own(requirement, 'operator');
  if (own(requirement, 'key') !== 'metadata.name') {
    findings.refuse(notSupported(own(requirement, 'key'), ['metadata.name']), 'key');
  }
  if (operator !== 'In' && operator !== 'NotIn') {
    findings.refuse(notSupported(operator, ['In', 'NotIn']), 'operator');
  } else if (listIn(requirement, 'values').length !== 1) {
    findings.refuseWhole(invalid(own(requirement, 'values') ?? [], 'one-name'), 'values');
  }
});

const nodeTerm = (isRequired: boolean) =>
  fields({ matchExpressions: each(nodeRequirement(isRequired)), matchFields: each(nodeField) });

const weight = between(1, 100);

/** Keys whose values the scheduler reads from the pod: they need a selector, and must not be in both lists. */
const matchLabelKeys: Check = object((term, findings) => {
  for (const field of ['matchLabelKeys', 'mismatchLabelKeys']) {
    if (listIn(term, field).length > 0 && !has(term, 'labelSelector')) {
      findings.refuseWhole(forbidden('selector-missing'), field);
    }
  }
  const mismatching = listIn(term, 'mismatchLabelKeys');
  const both = listIn(term, 'matchLabelKeys').find((key) => mismatching.includes(key));
  if (both !== undefined) {
    findings.refuseWhole(invalid(both, 'label-in-both'), 'mismatchLabelKeys');
  }
});

/** Rules of selectors, including those for the placement of pods. */
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
            findings.refuse(invalid(value, 'no-items'));
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
        findings.refuse(invalid('', 'topology-key'), 'topologyKey');
      }
      if (has(constraint, 'minDomains') && own(constraint, 'whenUnsatisfiable') !== 'DoNotSchedule') {
        findings.refuse(forbidden('min-domains'), 'minDomains');
      }
      for (const field of ['nodeAffinityPolicy', 'nodeTaintsPolicy']) {
        const value = own(constraint, field);
        if (typeof value === 'string' && value !== 'Honor' && value !== 'Ignore') {
          findings.refuse(notSupported(value, ['Honor', 'Ignore']), field);
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
        findings.refuseWhole(invalid(operator, 'toleration-key'), 'operator');
      }
      if (has(toleration, 'tolerationSeconds') && own(toleration, 'effect') !== 'NoExecute') {
        findings.refuseWhole(forbidden('eviction-delay'), 'tolerationSeconds');
      }
      if (operator === 'Exists' && value !== '') {
        findings.refuseWhole(forbidden('any-value'), 'value');
      }
      if (operator !== 'Exists') findings.at('value', value, labelValue);
    }),
  ),
};
