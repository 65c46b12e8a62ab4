import { isMap, type Value, type Values } from '../../kubernetes/values';

/** The difference of a value from that of another release. */
export interface ValueChange {
  /** The keys that lead to it. */
  readonly at: readonly string[];
  /** The value, which may be null; absent where the key is gone. */
  readonly value?: Value;
}

/** The values of a release as what differs from those of another one of the same chart. */
export interface ChangedValues {
  readonly base: string;
  readonly changes: readonly ValueChange[];
}

/** Values as they are in `imports/`: whole, or as what differs from those of another release. */
export type StoredValues = Values | ChangedValues;

/** Tells whether values are stored as what differs; no chart has these two as values of its own. */
export function isChanged(stored: StoredValues): stored is ChangedValues {
  return Object.keys(stored).sort().join() === 'base,changes';
}

/** Returns values with changes. What has none is shared with the values that were given. */
export function withChanges(values: Values, changes: readonly ValueChange[]): Values {
  return changes.reduce((before, { at, value }) => changedAt(before, at, value), values);
}

function changedAt(values: Values, [key = '', ...below]: readonly string[], value: Value | undefined): Values {
  if (below.length > 0) {
    const inside = values[key];
    return { ...values, [key]: changedAt(isMap(inside) ? inside : {}, below, value) };
  }
  if (value !== undefined) return { ...values, [key]: value };
  const { [key]: _gone, ...others } = values;
  return others;
}
