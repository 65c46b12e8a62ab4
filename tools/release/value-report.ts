import { isMap, type Value, type Values } from '#base/values';
import { valueChanges } from '../import/value-changes';

/** Lines about the values of a chart that were added, removed or changed since another release. */
export function valueReport(before: Values, after: Values): readonly string[] {
  return valueChanges(before, after).map(({ at, value }) => {
    const old = valueIn(before, at);
    if (value === undefined) return `gone: ${at.join('.')} (was ${JSON.stringify(old)})`;
    if (old === undefined) return `added: ${at.join('.')} = ${JSON.stringify(value)}`;
    return `changed: ${at.join('.')} from ${JSON.stringify(old)} to ${JSON.stringify(value)}`;
  });
}

/** The value at a path of keys, if it exists. */
export function valueIn(values: Values, path: readonly string[]): Value | undefined {
  return path.reduce<Value | undefined>((value, key) => (isMap(value) ? value[key] : undefined), values);
}
