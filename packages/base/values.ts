import { isSameValue } from './same-value';
import { valueAt } from './value-at';
import { isMap, memberOf, mergeValues, overlayValues, type Value, type Values } from './values-merge';

export { isMap, memberOf, mergeValues, overlayValues, type Value, type Values, valueAt };

/**
 * Values as users pass them, including objects of an interface, which has no index signature. Lists, functions and
 * iterables are not values of a chart.
 */
export type GivenValues = Values | (object & { readonly [Symbol.iterator]?: never; readonly call?: never });

/**
 * Returns values with those of another map at some paths, or without them if the other map has none: for paths in a
 * list, the whole list.
 */
export function replaceValues(values: Values, paths: readonly (readonly string[])[], by: Values): Values {
  return paths.reduce((replaced, path) => replaceAt(replaced, path, by), values);
}

function replaceAt(values: Values, [key = '', ...path]: readonly string[], by: Values): Values {
  const { [key]: inside, ...rest } = values;
  const instead = memberOf(by, key);
  const value = path.length > 0 && isMap(inside) ? replaceAt(inside, path, isMap(instead) ? instead : {}) : instead;
  return value === undefined ? rest : { ...rest, [key]: value };
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
