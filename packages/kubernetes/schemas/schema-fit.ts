import { isObject } from '#base/is-object';
import { sameItems } from '../objects/list-keys';
import { SCHEMA_FORMATS } from './schema-formats';
import { LIST_TYPE, MAP_KEYS, REF, type Schema, schemaAt } from './schema-store';

/**
 * Whether data certainly matches a schema. Most data does, and needs no ajv, which takes a tenth of a second to load
 * and to compile the schemas of a cluster's objects. If this returns false, ajv decides, for example because a keyword
 * is unknown here.
 */
export function fitsSchema(schema: Schema, data: unknown): boolean {
  for (const keyword of Object.keys(schema)) {
    const rule = Object.hasOwn(RULES, keyword) ? RULES[keyword] : undefined;
    if (rule === undefined || !rule(schema[keyword as keyof Schema] as never, data, schema)) return false;
  }
  return true;
}

/** As in JSON Schema, a rule ignores data of other types. */
type Rule = (argument: never, data: unknown, schema: Schema) => boolean;

const RULES: Readonly<Record<string, Rule>> = {
  description: () => true,
  type: (types: string | readonly string[], data) =>
    typeof types === 'string' ? isOfType(types, data) : types.some((type) => isOfType(type, data)),
  const: (value: unknown, data) => value === data,
  enum: (values: readonly unknown[], data) => values.includes(data),
  [REF]: (address: string, data) => fitsSchema(schemaAt(address), data),

  properties: (properties: Readonly<Record<string, Schema>>, data) =>
    !isObject(data) ||
    Object.keys(data).every((key) => {
      const schema = Object.hasOwn(properties, key) ? properties[key] : undefined;
      return schema === undefined || data[key] === undefined || fitsSchema(schema, data[key]);
    }),
  additionalProperties: (schema: boolean | Schema, data, { properties = {} }) =>
    schema === true ||
    !isObject(data) ||
    Object.keys(data).every(
      (key) => Object.hasOwn(properties, key) || (schema !== false && fitsSchema(schema, data[key])),
    ),
  required: (keys: readonly string[], data) => !isObject(data) || keys.every((key) => data[key] !== undefined),
  minProperties: (least: number, data) => !isObject(data) || Object.keys(data).length >= least,
  // With a keyword that is unknown here, the number of matches would be unknown.
  oneOf: (schemas: readonly Schema[], data) =>
    schemas.every((schema) => Object.keys(schema).join() === 'required') &&
    schemas.filter((schema) => fitsSchema(schema, data)).length === 1,

  items: (schema: Schema, data) => !Array.isArray(data) || !Array.from(data).some((item) => !fitsSchema(schema, item)),
  minItems: (least: number, data) => !Array.isArray(data) || data.length >= least,
  maxItems: (most: number, data) => !Array.isArray(data) || data.length <= most,
  [MAP_KEYS]: (keys: readonly string[], data) => !Array.isArray(data) || sameItems(data, keys) === undefined,
  [LIST_TYPE]: (_: string, data) => !Array.isArray(data) || sameItems(data, []) === undefined,

  minimum: (least: number, data) => typeof data !== 'number' || data >= least,
  maximum: (most: number, data) => typeof data !== 'number' || data <= most,
  pattern: (pattern: string, data) => typeof data !== 'string' || expression(pattern).test(data),
  minLength: (least: number, data) => typeof data !== 'string' || lengthOf(data) >= least,
  maxLength: (most: number, data) => typeof data !== 'string' || data.length <= most || lengthOf(data) <= most,
  format: (name: string, data) => isOfFormat(name, data),
};

function isOfType(type: string, data: unknown): boolean {
  switch (type) {
    case 'object':
      return isObject(data);
    case 'array':
      return Array.isArray(data);
    case 'string':
    case 'boolean':
      return typeof data === type;
    case 'number':
      return Number.isFinite(data);
    case 'integer':
      return Number.isInteger(data);
    case 'null':
      return data === null;
    default:
      return false;
  }
}

function isOfFormat(name: string, data: unknown): boolean {
  const format = Object.hasOwn(SCHEMA_FORMATS, name) ? SCHEMA_FORMATS[name] : undefined;
  if (format === undefined) return false;
  return typeof data !== format.type || (format.validate as (value: unknown) => boolean)(data);
}

/** Returns the length as JSON Schema counts it: in characters, some of which are two code units. */
function lengthOf(text: string): number {
  return [...text].length;
}

const expressions = new Map<string, RegExp>();

function expression(pattern: string): RegExp {
  const known = expressions.get(pattern) ?? new RegExp(pattern, 'u');
  expressions.set(pattern, known);
  return known;
}
