import type { IConstruct } from 'constructs';
import { addRule } from '../../gitops/tree/add-rule';
import { propOfClass } from '../../gitops/tree/prop-of-shape';
import type { Problem } from '../../kubernetes/findings/problem';
import { PKI_FINDINGS } from './findings';
import type { Validity } from './validity';

/** A validity that a prop gives; what of it is missing or no Duration is reported at the construct, and replaced. */
export function validityProp<V extends Validity>(scope: IConstruct, field: string, given: V, instead: Validity): V {
  const duration = (key: keyof Validity) => {
    const value: unknown = given[key] ?? undefined;
    if (value === undefined) addRule(scope, () => [incomplete(`${field}.${key}`)]);
    return propOfClass(scope, 'Duration', { field: `${field}.${key}`, value, instead: instead[key] });
  };
  return { ...given, duration: duration('duration'), renewBefore: duration('renewBefore') };
}

function incomplete(field: string): Problem {
  return PKI_FINDINGS.validityRefusedIncomplete({ field });
}
