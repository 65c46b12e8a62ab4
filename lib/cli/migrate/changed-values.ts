import { isDeepStrictEqual } from 'node:util';
import { isMap, memberOf, type Value, type Values } from '../../kubernetes/values';

/** Returns what values say other than the base they are laid over; null where they have removed something. */
export function changedValues(base: Values, values: Values): Values {
  const changed = new Map<string, Value>();
  for (const key of new Set([...Object.keys(values), ...Object.keys(base)])) {
    const change = changedValue(memberOf(base, key) ?? null, memberOf(values, key) ?? null);
    if (change !== undefined) changed.set(key, change);
  }
  return Object.fromEntries(changed);
}

function changedValue(before: Value, after: Value): Value | undefined {
  if (isMap(before) && isMap(after)) {
    const inside = changedValues(before, after);
    return Object.keys(inside).length === 0 ? undefined : inside;
  }
  return isDeepStrictEqual(before, after) ? undefined : after;
}
