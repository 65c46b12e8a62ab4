import type { ErrorObject } from 'ajv';
import { type ListKeys, sameItems } from '../list-keys';
import { suggest } from '../suggest';
import { dottedPath, pointerSegments, showValue, valueAtPointer } from '../value-path';
import type { MisfitParameters } from './findings';
import { onePerPlace, placeOf } from './schema-errors';
import { formatText } from './schema-formats';
import { suggestPaths, type UnknownKey } from './schema-paths';
import { LIST_TYPE, MAP_KEYS, type Schema } from './schema-store';

/** A place in data that violates its schema. */
export interface Misfit {
  /**
   * - `unknown`: a key that the schema does not have
   * - `missing`: a key that the schema requires
   * - `type`: a value of another type
   * - `unsupported`: a value that is not in the schema's list
   * - `repeated`: an item of a list that duplicates another one
   * - `invalid`: any other value that breaks a rule
   */
  readonly is: MisfitParameters['is'];
  /** The dotted path of the place. */
  readonly path: string;
  /** The value, shortened; for a repeated item, what it shares with the other. Empty if a key is the mistake. */
  readonly value: string;
  /** The type, the values or the rule of the schema. */
  readonly expected: string;
  readonly remedy: string;
}

/** Data, and its schema. */
export interface Checked {
  readonly data: unknown;
  /** The whole schema, in which a misplaced key may have its correct place. */
  readonly schema: Schema;
}

/** Describes schema errors, one for each place; a key that is missing because it was mistyped is not reported. */
export function describeErrors(errors: readonly ErrorObject[], checked: Checked): readonly Misfit[] {
  const misfits = onePerPlace(errors).map((error) => ({
    path: dottedPath(pointerSegments(placeOf(error))),
    ...describeError(error, checked),
  }));
  const remedies = new Set(misfits.map(({ remedy }) => remedy));
  return misfits.filter(({ is, path }) => is !== 'missing' || !remedies.has(didYouMean(path)));
}

/** A description of a misfit. */
type Described = Omit<Misfit, 'path'> & Partial<Pick<Misfit, 'path'>>;

function describeError(error: ErrorObject, { data, schema }: Checked): Described {
  const place = pointerSegments(placeOf(error));
  const path = dottedPath(place);
  const own = (error.parentSchema ?? {}) as Schema;
  switch (error.keyword) {
    case 'additionalProperties': {
      const value = valueAtPointer(data, placeOf(error));
      const remedy = fixUnknownKey({ place, value, siblings: Object.keys(own.properties ?? {}) }, schema);
      return { is: 'unknown', value: '', expected: '', remedy };
    }
    case 'required':
      return { is: 'missing', value: '', expected: '', remedy: `add ${path}` };
    default:
      return describeValue({ path, value: valueAtPointer(data, error.instancePath), schema: own }, error);
  }
}

interface Found {
  readonly path: string;
  readonly value: unknown;
  readonly schema: Schema;
}

function describeValue(
  { path, value, schema }: Found,
  { keyword, message = 'must be another one' }: ErrorObject,
): Described {
  const shown = showValue(value);
  switch (keyword) {
    case 'type':
      return { is: 'type', value: shown, expected: typeText(schema), remedy: fixType({ path, value, schema }) };
    case 'enum': {
      const allowed = (schema.enum ?? []).filter((member) => member !== null);
      const [meant] = suggest(String(value), allowed.map(String));
      const expected = allowed.map(showValue).join(', ');
      const remedy = meant === undefined ? `set ${path} to one of ${expected}` : didYouMean(showValue(meant));
      return { is: 'unsupported', value: shown, expected, remedy };
    }
    case 'pattern': {
      const form = schema.description ?? `a text that matches ${schema.pattern}`;
      return { is: 'invalid', value: shown, expected: `it must be ${form}`, remedy: `write ${form}` };
    }
    case 'format': {
      const form = formatText(schema.format);
      const remedy = `set ${path} to a value that is ${form}`;
      return { is: 'invalid', value: shown, expected: `it must be ${form}`, remedy };
    }
    case MAP_KEYS:
    case LIST_TYPE:
      return describeSameItems(path, value, schema[MAP_KEYS] ?? []);
    case 'anyOf':
    case 'oneOf':
      return describeAlternatives({ path, value, schema }, keyword);
    default:
      return { is: 'invalid', value: shown, expected: `it ${message}`, remedy: `change ${path}: it ${message}` };
  }
}

function didYouMean(text: string): string {
  return `did you mean ${text}?`;
}

function fixUnknownKey(unknown: UnknownKey, root: Schema): string {
  const meant = suggestPaths(unknown, root);
  if (meant !== undefined) return didYouMean(meant.paths.map(dottedPath).join(` ${meant.join} `));
  const { siblings, place } = unknown;
  const known = siblings.length > 0 && siblings.length <= 12 ? `; known there: ${siblings.join(', ')}` : '';
  return `remove ${dottedPath(place)}${known}`;
}

function fixType({ path, value, schema }: Found): string {
  const types = [schema.type ?? []].flat();
  const unquoted = typeof value === 'string' ? typeOfLiteral(value) : undefined;
  if (unquoted !== undefined && types.includes(unquoted)) return `write ${value} without quotes`;
  if (typeof value === 'number' && types.includes('string')) {
    return `write ${path} as a string, with its unit if it is a duration or a quantity`;
  }
  if (types.includes('array')) return `write ${path} as a list: [${showValue(value)}]`;
  return `set ${path} to ${typeText(schema)}`;
}

function typeOfLiteral(text: string): string | undefined {
  if (text === 'true' || text === 'false') return 'boolean';
  return /^-?\d+$/.test(text) ? 'integer' : undefined;
}

const TYPE_TEXTS: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
  object: 'a map',
  string: 'a string',
};

function typeText({ description, type = [] }: Schema): string {
  return (
    description ??
    [type]
      .flat()
      .flatMap((name) => TYPE_TEXTS[name] ?? [])
      .join(' or ')
  );
}

/** Describes two items of a list that server-side apply considers equal. */
function describeSameItems(path: string, value: unknown, keys: ListKeys): Described {
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  const [first = 0, second = 0] = sameItems(list, keys) ?? [];
  const same =
    keys.length === 0 ? showValue(list[second]) : keys.map((key) => showKey(list[second], key)).join(' and ');
  return {
    is: 'repeated',
    path: `${path}[${second}]`,
    value: same,
    expected: `${path}[${first}]`,
    remedy: `keep one of ${path}[${first}] and ${path}[${second}]`,
  };
}

function showKey(item: unknown, key: string): string {
  const value = (item as Readonly<Record<string, unknown>> | null)?.[key];
  return value === undefined ? `the default ${key}` : `the ${key} ${showValue(value)}`;
}

/** Describes alternatives, which in CRDs are fields, some of which are required. */
function describeAlternatives({ path, value, schema }: Found, keyword: 'anyOf' | 'oneOf'): Described {
  const members = schema[keyword] ?? [];
  const fields = members.flatMap(({ required = [] }) => required.join(' with ')).join(', ');
  const count = keyword === 'oneOf' ? 'exactly one' : 'at least one';
  return {
    is: 'invalid',
    value: showValue(value),
    expected: `it must have ${count} of ${fields}`,
    remedy: `set ${count} of ${fields} in ${path}`,
  };
}
