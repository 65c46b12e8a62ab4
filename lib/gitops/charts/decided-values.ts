import type { IConstruct } from 'constructs';
import type { Problem } from '../../kubernetes/findings/problem';
import { contradictions, mergeValues, type Values } from '../../kubernetes/values';

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
  return contradictions(values, own).map(({ path, fromProps, fromValues }) => ({
    code: 'value-contradicts-prop',
    what: `values.${path} is ${JSON.stringify(fromValues)}, but the props of ${from.node.path} make it ${JSON.stringify(fromProps)}`,
    why: 'What else was derived from the prop would not agree with the chart any more',
    fix: `remove ${path} from values and set the prop`,
  }));
}

function checkMutual(one: DecidedValues, other: DecidedValues): readonly Problem[] {
  return contradictions(one.values, other.values).map(({ path, fromProps, fromValues }) => ({
    code: 'value-decided-twice',
    what: `${one.from.node.path} sets values.${path} to ${JSON.stringify(fromProps)}, but ${other.from.node.path} to ${JSON.stringify(fromValues)}`,
    why: 'The chart takes one of the two, and what the other construct emits would not agree with it',
    fix: 'keep one of the two constructs, or give both the same props',
  }));
}
