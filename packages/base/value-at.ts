import { isMap, memberOf, type Value, type Values } from './values-merge';

/** Returns the value at a dotted path, if any. */
export function valueAt(values: Values, path: string): Value | undefined {
  return path
    .split('.')
    .reduce<Value | undefined>((value, key) => (isMap(value) ? memberOf(value, key) : undefined), values);
}
