import { grouped } from './grouped';
import { isObject } from './is-object';
import { isSameValue } from './same-value';

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

/** Sets an own member of a map, even one with the name `__proto__`, which an assignment would lose. */
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

/** Returns the value at a dotted path, if any. */
export function valueAt(values: Values, path: string): Value | undefined {
  let value: Value | undefined = values;
  for (const key of path.split('.')) {
    if (!isMap(value)) return undefined;
    value = memberOf(value, key);
  }
  return value;
}

/**
 * Values as users pass them, including objects of an interface, which has no index signature. Lists, functions and
 * iterables are not values of a chart.
 */
export type GivenValues = Values | (object & { readonly [Symbol.iterator]?: never; readonly call?: never });

/**
 * Replaces the values at some paths by those of another map, or removes them if that map has none. For a path in a
 * list, the whole list is replaced.
 */
export function replaceValues(values: Values, paths: readonly (readonly string[])[], by: Values): Values {
  const replaced = new Map(Object.entries(values));
  for (const [key, below] of grouped(paths.map(([first = '', ...rest]) => [first, rest]))) {
    const [inside, instead] = [memberOf(values, key), memberOf(by, key)];
    const isPart = isMap(inside) && below.every(({ length }) => length > 0);
    const value = isPart ? replaceValues(inside, below, isMap(instead) ? instead : {}) : instead;
    if (value === undefined) replaced.delete(key);
    else replaced.set(key, value);
  }
  return Object.fromEntries(replaced);
}

/** Two values for one key. */
export interface Contradiction {
  /** Dotted path of the key. */
  readonly path: string;
  readonly fromProps: Value;
  readonly fromValues: Value;
}

/** Returns where `values` differ from what props have already set. */
export function contradictions(fromProps: Values, values: Values, prefix = ''): readonly Contradiction[] {
  return Object.entries(values).flatMap(([key, value]) => {
    const decided = memberOf(fromProps, key);
    if (value === undefined || decided === undefined) return [];
    const path = `${prefix}${key}`;
    if (isMap(decided) && isMap(value)) return contradictions(decided, value, `${path}.`);
    return isSameValue(decided, value) ? [] : [{ path, fromProps: decided, fromValues: value }];
  });
}
