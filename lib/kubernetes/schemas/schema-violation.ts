import type { ErrorObject } from 'ajv';
import { type ListKeys, sameItems } from '../list-keys';
import { suggest } from '../suggest';
import { dottedPath, pointerSegments, showValue, valueAtPointer } from '../value-path';
import { onePerPlace, placeOf } from './schema-errors';
import { formatText } from './schema-formats';
import { suggestPaths, type UnknownKey } from './schema-paths';
import { LIST_TYPE, MAP_KEYS, type Schema } from './schema-store';

/** A place of data that its schema does not allow. */
export interface Misfit {
  /** The name of this kind of mistake: a Problem's code. */
  readonly code: string;
  /** The value that is refused. */
  readonly value: unknown;
  /** The dotted path of the place. */
  readonly path: string;
  /** A sentence that starts with the dotted path. */
  readonly what: string;
  readonly fix: string;
  /** The key that is not known, or that is missing. */
  readonly key?: { readonly path: string; readonly is: 'unknown' | 'missing' };
}

/** Data, and the schema that it is checked against. */
export interface Checked {
  readonly data: unknown;
  /** The whole schema, in which a misplaced key may have its right place. */
  readonly schema: Schema;
}

/** Puts schema errors into words, one for each place; a key that is missing because it was mistyped is not reported. */
export function describeErrors(errors: readonly ErrorObject[], checked: Checked): readonly Misfit[] {
  const violations = onePerPlace(errors).map((error) => ({
    value: valueAtPointer(checked.data, error.instancePath),
    path: dottedPath(pointerSegments(placeOf(error))),
    ...describeError(error, checked),
  }));
  const fixes = new Set(violations.map(({ fix }) => fix));
  return violations.filter(({ key }) => key?.is !== 'missing' || !fixes.has(didYouMean(key.path)));
}

/** A misfit in words. */
type Described = Omit<Misfit, 'value' | 'path'> & Partial<Pick<Misfit, 'path'>>;

function describeError(error: ErrorObject, { data, schema }: Checked): Described {
  const place = pointerSegments(placeOf(error));
  const path = dottedPath(place);
  const own = (error.parentSchema ?? {}) as Schema;
  switch (error.keyword) {
    case 'additionalProperties': {
      const value = valueAtPointer(data, placeOf(error));
      return {
        code: 'unknown-key',
        what: `${path} is not known`,
        fix: fixUnknownKey({ place, value, siblings: Object.keys(own.properties ?? {}) }, schema),
        key: { path, is: 'unknown' },
      };
    }
    case 'required':
      return { code: 'missing-key', what: `${path} is missing`, fix: `add ${path}`, key: { path, is: 'missing' } };
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
  const shown = `${path} is ${showValue(value)}`;
  switch (keyword) {
    case 'type':
      return { code: 'wrong-type', what: `${shown}, not ${typeText(schema)}`, fix: fixType({ path, value, schema }) };
    case 'enum': {
      const allowed = (schema.enum ?? []).filter((member) => member !== null);
      const [meant] = suggest(String(value), allowed.map(String));
      const list = allowed.map(showValue).join(', ');
      return {
        code: 'not-one-of',
        what: `${shown}, not one of ${list}`,
        fix: meant === undefined ? `set ${path} to one of ${list}` : didYouMean(showValue(meant)),
      };
    }
    case 'pattern': {
      const form = schema.description ?? `a text that matches ${schema.pattern}`;
      return { code: 'wrong-form', what: `${shown}, not ${form}`, fix: `write ${form}` };
    }
    case 'format': {
      const form = formatText(schema.format);
      return { code: 'wrong-form', what: `${shown}, not ${form}`, fix: `set ${path} to a value that is ${form}` };
    }
    case MAP_KEYS:
    case LIST_TYPE:
      return describeSameItems(path, value, schema[MAP_KEYS] ?? []);
    case 'anyOf':
    case 'oneOf':
      return describeAlternatives(path, keyword, schema);
    default:
      return { code: 'value-refused', what: `${shown}, but ${message}`, fix: `change ${path}: it ${message}` };
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

/** Two items of a list that server-side apply takes for one. */
function describeSameItems(path: string, value: unknown, keys: ListKeys): Described {
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  const [first = 0, second = 0] = sameItems(list, keys) ?? [];
  const same =
    keys.length === 0 ? showValue(list[second]) : keys.map((key) => showKey(list[second], key)).join(' and ');
  return {
    code: 'repeated-item',
    path: `${path}[${second}]`,
    what: `${path}[${second}] has ${same}, as ${path}[${first}] has`,
    fix: `keep one of ${path}[${first}] and ${path}[${second}]`,
  };
}

function showKey(item: unknown, key: string): string {
  const value = (item as Readonly<Record<string, unknown>> | null)?.[key];
  return value === undefined ? `the default ${key}` : `the ${key} ${showValue(value)}`;
}

/** Alternatives in CRDs are fields of which some must be there. */
function describeAlternatives(path: string, keyword: 'anyOf' | 'oneOf', schema: Schema): Described {
  const members = schema[keyword] ?? [];
  const fields = members.flatMap(({ required = [] }) => required.join(' with ')).join(', ');
  const count = keyword === 'oneOf' ? 'exactly one' : 'at least one';
  return {
    code: 'alternative-missing',
    what: `${path} must have ${count} of ${fields}`,
    fix: `set ${count} of ${fields} in ${path}`,
  };
}
