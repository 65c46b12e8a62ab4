import type { IConstruct } from 'constructs';
import { propOfClass } from '../tree/prop-of-class';
import type { Validity } from './validity';

/** A validity that a prop gives; what of it is no Duration is reported at the construct, and replaced. */
export function validityProp<V extends Validity>(scope: IConstruct, field: string, given: V, instead: Validity): V {
  const duration = (key: keyof Validity) =>
    propOfClass(scope, 'Duration', { field: `${field}.${key}`, value: given[key] ?? null, instead: instead[key] });
  return { ...given, duration: duration('duration'), renewBefore: duration('renewBefore') };
}
