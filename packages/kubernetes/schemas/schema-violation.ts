import type { ErrorObject } from 'ajv';
import { isObject } from '#base/is-object';
import { pointerSegments, valueAtPointer } from '#base/json-pointer';
import { HIDDEN_VALUE, shownIn } from '#base/secrets/shown-value';
import { suggest } from '#base/suggest';
import { dottedPath, showValue } from '#base/value-path';
import { keyOf, type ListKeys, sameItems } from '../objects/list-keys';
import type { MisfitParameters, MisfitRemedy } from './findings';
import { onePerPlace, placeOf } from './schema-errors';
import { suggestPaths, type UnknownKey } from './schema-paths';
import { LIST_TYPE, MAP_KEYS, type Schema } from './schema-store';

/** A place in data that violates its schema. */
export interface Misfit extends MisfitParameters {
  /** The dotted path of the place. */
  readonly path: string;
}

/** Data, and its schema. */
export interface Checked {
  readonly data: unknown;
  /** The whole schema, which may have the correct place of a misplaced key. */
  readonly schema: Schema;
}

/** Describes schema errors, one for each place; a key that is missing because it was mistyped is not reported. */
export function describeErrors(errors: readonly ErrorObject[], checked: Checked): readonly Misfit[] {
  const shown = shownIn(checked.data);
  const misfits = onePerPlace(errors).map((error) => ({
    path: dottedPath(pointerSegments(placeOf(error))),
    ...describeError(error, checked, shown),
  }));
  return withoutMistyped(misfits);
}

/** Returns misfits without keys that are missing because they were mistyped. */
export function withoutMistyped<M extends Misfit>(misfits: readonly M[]): readonly M[] {
  const meant = new Set(misfits.flatMap(({ remedy, hint }) => (remedy === 'meant' ? [hint] : [])));
  return misfits.filter(({ is, path }) => is !== 'missing' || !meant.has(path));
}

type Described = Omit<Misfit, 'path'> & Partial<Pick<Misfit, 'path'>>;

type Shown = ReturnType<typeof shownIn>;

function describeError(error: ErrorObject, { data, schema }: Checked, shownAt: Shown): Described {
  const place = pointerSegments(placeOf(error));
  const own = (error.parentSchema ?? {}) as Schema;
  switch (error.keyword) {
    case 'additionalProperties': {
      const value = valueAtPointer(data, placeOf(error));
      const remedy = remedyOfUnknown({ place, value, siblings: Object.keys(own.properties ?? {}) }, schema);
      return { is: 'unknown', value: '', expected: '', ...remedy };
    }
    case 'required':
      return { is: 'missing', value: '', expected: '', ...CORRECT };
    default:
      return describeValue({ place, value: valueAtPointer(data, error.instancePath), schema: own, shownAt }, error);
  }
}

const CORRECT: MisfitRemedy = { remedy: 'correct', hint: '' };

interface Found {
  readonly place: readonly string[];
  readonly value: unknown;
  readonly schema: Schema;
  readonly shownAt: Shown;
}

function describeValue(
  { place, value, schema, shownAt }: Found,
  { keyword, message = 'must be another value' }: ErrorObject,
): Described {
  const shown = shownAt(place);
  const remedyOf = () => (shown === HIDDEN_VALUE ? CORRECT : remedyOfType(value, schema));
  switch (keyword) {
    case 'type':
      return schema.description === undefined
        ? {
            is: 'type',
            value: shown,
            expected: typesOf(schema)
              .filter((name) => name !== 'null')
              .join(', '),
            ...remedyOf(),
          }
        : { is: 'described-type', value: shown, expected: schema.description, ...remedyOf() };
    case 'enum': {
      const allowed = (schema.enum ?? []).filter((member) => member !== null);
      const [meant] = suggest(String(value), allowed.map(String));
      const remedy: MisfitRemedy = meant === undefined ? CORRECT : { remedy: 'meant', hint: showValue(meant) };
      return { is: 'unsupported', value: shown, expected: allowed.map(showValue).join(', '), ...remedy };
    }
    case 'pattern':
      return schema.description === undefined
        ? { is: 'schema-pattern', value: shown, expected: String(schema.pattern), ...CORRECT }
        : { is: 'schema-description', value: shown, expected: schema.description, ...CORRECT };
    case 'format':
      return { is: 'schema-format', value: shown, expected: String(schema.format), ...CORRECT };
    case MAP_KEYS:
    case LIST_TYPE:
      return describeSameItems({ place, value, shownAt }, schema[MAP_KEYS] ?? []);
    case 'anyOf':
    case 'oneOf':
      return describeAlternatives(shown, schema, keyword);
    default:
      return { is: 'schema-keyword', value: shown, expected: message, ...CORRECT };
  }
}

function remedyOfUnknown(unknown: UnknownKey, root: Schema): MisfitRemedy {
  const meant = suggestPaths(unknown, root);
  if (meant !== undefined) return { remedy: 'meant', hint: meant.paths.map(dottedPath).join(` ${meant.join} `) };
  const { siblings } = unknown;
  return { remedy: 'remove', hint: siblings.length <= 12 ? siblings.join(', ') : '' };
}

function remedyOfType(value: unknown, schema: Schema): MisfitRemedy {
  const types = typesOf(schema);
  const unquoted = typeof value === 'string' ? typeOfLiteral(value) : undefined;
  if (unquoted !== undefined && types.includes(unquoted)) return { remedy: 'unquote', hint: String(value) };
  if (typeof value === 'number' && types.includes('string')) return { remedy: 'quote', hint: '' };
  return types.includes('array') ? { remedy: 'list', hint: '' } : CORRECT;
}

function typesOf({ type = [] }: Schema): readonly string[] {
  return [type].flat();
}

function typeOfLiteral(text: string): string | undefined {
  if (text === 'true' || text === 'false') return 'boolean';
  return /^-?\d+$/.test(text) ? 'integer' : undefined;
}

/** Server-side apply considers items with the same keys equal. */
function describeSameItems(
  { place, value, shownAt }: Pick<Found, 'place' | 'value' | 'shownAt'>,
  keys: ListKeys,
): Described {
  const path = dottedPath(place);
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  const [first = 0, second = 0] = sameItems(list, keys) ?? [];
  const same =
    keys.length === 0
      ? shownAt([...place, String(second)])
      : keys.flatMap((key) => showKey(list[second], key)).join(', ');
  return { is: 'repeated', path: `${path}[${second}]`, value: same, expected: `${path}[${first}]`, ...CORRECT };
}

function showKey(item: unknown, key: string): readonly string[] {
  const value = keyOf(isObject(item) ? item : {}, key);
  return value === undefined ? [] : [`${key} ${showValue(value)}`];
}

/** Describes `oneOf` and `anyOf`: in CRDs, the alternatives are required fields. */
function describeAlternatives(value: string, schema: Schema, keyword: 'anyOf' | 'oneOf'): Described {
  const members = schema[keyword] ?? [];
  return {
    is: keyword === 'oneOf' ? 'schema-one-field' : 'schema-some-field',
    value,
    expected: members.flatMap(({ required = [] }) => required.join(' with ')).join(', '),
    ...CORRECT,
  };
}
