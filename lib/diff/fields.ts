import { createHash } from 'node:crypto';
import { parseValues } from '../../operator/api/values-document';
import { isNoise } from '../compare/noise';
import { isSameValue } from '../compare/same-value';
import { pathText, type ValueChange, type ValuePath, valueChanges } from '../compare/value-changes';
import { clean } from '../compare/without-secrets';
import { isMap, type Value, type Values } from '../releases/values';
import type { Schema } from '../schema/schema-store';
import type { FieldDifference } from './model';
import { hiddenTexts } from './secret-text';

/** The longest text that is told whole: the bundled program of the operator is five times as long. */
const MOST_CHARACTERS = 32_768;

/** The fields in which two values differ, without secrets. All of the data of a Secret is one. */
export function fieldDifferences(
  before: Value | undefined,
  after: Value | undefined,
  schema?: Schema,
): readonly FieldDifference[] {
  const isSecret = [before, after].some((value) => isMap(value) && value.kind === 'Secret');
  return valueChanges(before, after, schema).map((change) => told(change, isSecret));
}

function told(change: ValueChange, isOfSecret: boolean): FieldDifference {
  const isRoutine = change.op !== 'reordered' && isNoise({ ...change, path: pathText(change.path) });
  const within = change.op === 'changed' ? differencesWithin(change.before, change.after, isOfSecret) : undefined;
  const shown = shownChange(change, isOfSecret);
  const short = mapSides(shown, shortened);
  return {
    ...short,
    ...(isRoutine ? { routine: true } : {}),
    ...(isSameValue(short as never, shown as never) ? {} : { shortened: true }),
    ...(isSameValue(shown as never, change as never) ? {} : { hidden: true }),
    ...(within === undefined ? {} : { within }),
  };
}

/** The differences of two texts that are YAML or JSON themselves. */
function differencesWithin(before: Value, after: Value, isSecret: boolean): readonly FieldDifference[] | undefined {
  if (isSecret || typeof before !== 'string' || typeof after !== 'string') return undefined;
  const [old, next] = [embedded(before), embedded(after)];
  return old === undefined || next === undefined ? undefined : fieldDifferences(old, next);
}

/** The map that a text of several lines, or one in braces, is. */
function embedded(text: string): Values | undefined {
  if (!/\n\s*\S|^\s*\{/.test(text) || isTemplate(text)) return undefined;
  try {
    const values = parseValues(text);
    return Object.keys(values).length === 0 ? undefined : values;
  } catch {
    return undefined;
  }
}

/** Tells texts that a template engine makes YAML of. */
function isTemplate(text: string): boolean {
  return text.includes('{{');
}

/** The same change without secrets: in its values, in names on its path, and in what its path leads to. */
function shownChange(change: ValueChange, isOfSecret: boolean): ValueChange {
  const isSecret = isOfSecret && ['data', 'stringData'].includes(String(change.path[0]));
  const clear = (value: Value) => cleanAt(change.path, hiddenTexts(value), isSecret);
  return { ...mapSides(change, clear), path: clean(change.path, false) as ValuePath };
}

/** A value without secrets; the names on the way to it tell whether all of it is one. */
function cleanAt(path: ValuePath, value: Value, isSecret: boolean): Value {
  const name = path.at(-1);
  const variable = path.at(-2);
  const isOfVariable = name === 'value' && typeof variable === 'object';
  const [named = ''] = isOfVariable ? Object.values(variable) : [name];
  const holder = typeof named === 'object' ? '' : String(named);
  // The rules for names of values are those by which members of a map are judged.
  const member = clean({ [holder]: value }, isSecret) as Values;
  return member[holder] ?? null;
}

function mapSides(change: ValueChange, map: (value: Value) => Value): ValueChange {
  if (change.op === 'reordered') return change;
  if (change.op === 'added') return { ...change, after: map(change.after) };
  if (change.op === 'removed') return { ...change, before: map(change.before) };
  return { ...change, before: map(change.before), after: map(change.after) };
}

/** A value in which long texts stand as their hash. */
function shortened(value: Value): Value {
  if (typeof value === 'string') return value.length > MOST_CHARACTERS ? hashOf(value) : value;
  if (Array.isArray(value)) return value.map(shortened);
  if (!isMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, of]) => [key, of === undefined ? null : shortened(of)]));
}

function hashOf(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')} (${text.length} characters)`;
}
