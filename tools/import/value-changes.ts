import { isMap, type Values } from '#base/values';
import { type ChangedValues, isChanged, type ValueChange } from '#linkerd/releases/chart-defaults';
import { serializeData } from './serialize';

/** Returns the changes that turn the values `from` into the values `to`: one for each place that differs. */
export function valueChanges(from: Values, to: Values, path: readonly string[] = []): readonly ValueChange[] {
  return [...new Set([...Object.keys(from), ...Object.keys(to)])].flatMap((key) => {
    const at = [...path, key];
    const [before, after] = [from[key], to[key]];
    if (isMap(before) && isMap(after)) return valueChanges(before, after, at);
    if (after === undefined) return [{ at }];
    return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ at, value: after }];
  });
}

/** Returns the stored form of a release's values: the changes to another release's values, if these are shorter. */
export function storedValues(values: Values, base: { readonly release: string; readonly values: Values }): string {
  if (isChanged(values))
    throw new Error('values with only the keys base and changes look like changes to other values');
  const changes = serializeChanges({ base: base.release, changes: valueChanges(base.values, values) });
  const whole = serializeData(values);
  return changes.length < whole.length ? changes : whole;
}

function serializeChanges({ base, changes }: ChangedValues): string {
  const lines = changes.map((change) => JSON.stringify(change));
  return `{"base":${JSON.stringify(base)},"changes":${lines.length > 0 ? `[\n${lines.join(',\n')}\n]` : '[]'}}\n`;
}
