import { isObject } from './is-object';

/** A chart value, as in JSON; null removes the chart's default. */
export type Value = string | number | boolean | null | readonly Value[] | Values;

/** A map of chart values. */
export interface Values {
  readonly [key: string]: Value | undefined;
}

/** Whether a value is a map, which Helm merges; other values are replaced. */
export function isMap(value: unknown): value is Values {
  return isObject(value);
}

/** Returns an own member of a map: `constructor` and similar are ordinary keys. */
export function memberOf(values: Values, key: string): Value | undefined {
  return Object.hasOwn(values, key) ? values[key] : undefined;
}

/**
 * Merges values over others as Helm does with several `-f` files: maps merge, lists and scalars replace, null stays (it
 * removes the chart's own default). Absent (`undefined`) keys leave the base unchanged.
 */
export function mergeValues(base: Values, over: Values): Values {
  const merged: Record<string, Value | undefined> = { ...base };
  for (const [key, value] of Object.entries(over)) {
    if (value === undefined) continue;
    const before = memberOf(merged, key);
    setMember(merged, key, isMap(value) ? mergeValues(isMap(before) ? before : {}, value) : value);
  }
  return merged;
}

/** Sets an own member of a map, also one of the name `__proto__`, which an assignment would lose. */
function setMember(values: Record<string, Value | undefined>, key: string, value: Value): void {
  if (key !== '__proto__') values[key] = value;
  else Object.defineProperty(values, key, { value, configurable: true, enumerable: true, writable: true });
}

/** Merges values over those of a chart as Helm does: like {@link mergeValues}, but null removes the key. */
export function overlayValues(base: Values, over: Values): Values {
  const overlaid = new Map(Object.entries(base));
  for (const [key, value] of Object.entries(over)) {
    const before = overlaid.get(key);
    if (value === null) overlaid.delete(key);
    else if (isMap(value)) overlaid.set(key, overlayValues(isMap(before) ? before : {}, value));
    else if (value !== undefined) overlaid.set(key, value);
  }
  return Object.fromEntries(overlaid);
}
