import { createHash } from 'node:crypto';
import { isSameValue } from '#base/same-value';
import { isMap, type Value, type Values } from '#base/values';
import { dataOfYaml } from '#base/yaml-data';
import { hasMark, unmarked } from '#kubernetes/findings/sealed-data';
import type { Schema } from '#kubernetes/schemas/schema-store';
import { isNoise } from '../compare/noise';
import { pathText, type ValueChange, valueChanges } from '../compare/value-changes';
import type { FieldDifference } from './model';

/** Longer strings, such as the operator's bundled program, are shown as their hash. */
const MAX_CHARACTERS = 32_768;

/** Returns the fields in which two values differ. In the values, marks replace secrets. */
export function fieldDifferences(
  before: Value | undefined,
  after: Value | undefined,
  schema?: Schema,
): readonly FieldDifference[] {
  return valueChanges(before, after, schema).flatMap(
    (change) => differencesWithin(change) ?? [fieldDifference(change)],
  );
}

function fieldDifference(change: ValueChange, place = ''): FieldDifference {
  const isRoutine = change.op !== 'reordered' && isNoise({ ...change, path: `${place}${pathText(change.path)}` });
  const short = mapSides(change, shortened);
  return {
    ...unmarked(short),
    ...(isRoutine ? { routine: true } : {}),
    ...(isSameValue(short as never, change as never) ? {} : { shortened: true }),
    ...(hasMark(change) ? { hidden: true } : {}),
  };
}

function differencesWithin(change: ValueChange): readonly FieldDifference[] | undefined {
  if (change.op !== 'changed' || typeof change.before !== 'string' || typeof change.after !== 'string')
    return undefined;
  const { path } = change;
  const [old, next] = [contentOf(change.before), contentOf(change.after)];
  if (old === undefined || next === undefined) return undefined;
  const place = `${pathText(path)}.`;
  const found = valueChanges(old, next).map((inner) => ({
    ...fieldDifference(inner, place),
    path,
    within: inner.path,
  }));
  if (found.length > 0) return found;
  // In an unrendered template, unusual keys may hide a difference.
  return change.after.includes('{{') ? undefined : [{ op: 'reworded', path }];
}

function contentOf(text: string): Values | undefined {
  return /\n\s*\S|^\s*\{/.test(text) ? embeddedMap(text) : undefined;
}

function mapSides(change: ValueChange, map: (value: Value) => Value): ValueChange {
  if (change.op === 'reordered') return change;
  if (change.op === 'added') return { ...change, after: map(change.after) };
  if (change.op === 'removed') return { ...change, before: map(change.before) };
  return { ...change, before: map(change.before), after: map(change.after) };
}

function shortened(value: Value): Value {
  if (typeof value === 'string') return value.length > MAX_CHARACTERS ? hashOf(value) : value;
  if (Array.isArray(value)) return value.map(shortened);
  if (!isMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, of]) => [key, of === undefined ? null : shortened(of)]));
}

function hashOf(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')} (${text.length} characters)`;
}

/**
 * Returns the map in a string of YAML or JSON; undefined for other strings, several documents, and cycles. Unusual keys
 * cause no warnings, because unrendered templates often contain them.
 */
export function embeddedMap(text: string): Values | undefined {
  const [content, second] = dataOfYaml(text) ?? [];
  return second === undefined && isMap(content) && Object.keys(content).length > 0 ? content : undefined;
}
