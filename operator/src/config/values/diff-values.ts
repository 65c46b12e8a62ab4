import { isSameValue } from '#base/same-value';
import { isMap, type Value, type Values } from '#base/values';

/** A place where two sets of values differ. */
export interface ValueDifference {
  readonly path: readonly string[];
  /** The value afterwards; undefined if removed. */
  readonly value: Value | undefined;
}

/** Compares values. Returns removals first, then additions and changes. */
export function diffValues(before: Values, after: Values, above: readonly string[] = []): readonly ValueDifference[] {
  const gone = Object.keys(before).filter((key) => !Object.hasOwn(after, key));
  const changed = Object.entries(after).flatMap(([key, value]) => {
    const was = Object.hasOwn(before, key) ? before[key] : undefined;
    const path = [...above, key];
    if (isMap(was) && isMap(value)) return diffValues(was, value, path);
    return isSameValue(was, value) ? [] : [{ path, value }];
  });
  return [...gone.map((key) => ({ path: [...above, key], value: undefined })), ...changed];
}
