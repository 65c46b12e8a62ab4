import type { IConstruct } from 'constructs';
import type { Problem } from '../../kubernetes/findings/problem';
import { contradictions, mergeValues, type Values } from '../../kubernetes/values';
import { CHART_FINDINGS } from './findings';

/** Values that follow from the props of one construct. */
export interface DecidedValues {
  readonly values: Values;
  /** The construct whose props they follow from. */
  readonly from: IConstruct;
}

/** The values that a chart gets: defaults give way to the user's own, these to what props decide. */
export function layerValues(defaults: Values, own: Values, decided: readonly DecidedValues[]): Values {
  return [{ values: own }, ...decided].reduce<Values>(
    (layered, { values }) => mergeValues(layered, values),
    mergeValues({}, defaults),
  );
}

/** Reports where the user's own values contradict decided ones, or decided ones each other. */
export function checkDecidedValues(decided: readonly DecidedValues[], own: Values): readonly Problem[] {
  return decided.flatMap((decision, index) => [
    ...checkOwn(decision, own),
    ...decided.slice(0, index).flatMap((earlier) => checkMutual(earlier, decision)),
  ]);
}

function checkOwn({ values, from }: DecidedValues, own: Values): readonly Problem[] {
  return contradictions(values, own).map(({ path, fromProps, fromValues }) =>
    CHART_FINDINGS.valueContradictsProp({
      path,
      value: JSON.stringify(fromValues),
      construct: from.node.path,
      decided: JSON.stringify(fromProps),
    }),
  );
}

function checkMutual(one: DecidedValues, other: DecidedValues): readonly Problem[] {
  return contradictions(one.values, other.values).map(({ path, fromProps, fromValues }) =>
    CHART_FINDINGS.valueDecidedTwice({
      path,
      one: one.from.node.path,
      value: JSON.stringify(fromProps),
      other: other.from.node.path,
      decided: JSON.stringify(fromValues),
    }),
  );
}
