import type { Budget } from '../go/values';
import { isJsonObject, type JsonObject, type JsonValue } from './objects';

/** A schema of a few keywords with the same meaning in all drafts of JSON Schema, as generators write it for charts. */
export interface PlainSchema {
  /** Whether it accepts data. If not, compile the schema to get the reasons. */
  accepts(data: JsonValue, budget: Budget): boolean;
}

/**
 * Returns a schema that is interpreted: compiling it takes longer than the rest of a render. Undefined if the schema
 * has other keywords, or anything that a compiler could refuse.
 */
export function plainSchema(schema: JsonValue): PlainSchema | undefined {
  if (!isJsonObject(schema)) return undefined;
  const reading = { root: schema, counter: { left: MAX_SUBSCHEMAS }, depth: 0 };
  if (!isPlain(schema, reading)) return undefined;
  return { accepts: (data, { spend }) => accepts(schema, data, { root: schema, spend }) };
}

/** Larger schemas are compiled. */
const MAX_SUBSCHEMAS = 10_000;
const DEEPEST = 50;

interface Reading {
  readonly root: JsonObject;
  readonly counter: { left: number };
  readonly depth: number;
}

function isPlain(schema: JsonValue, { root, counter, depth }: Reading): boolean {
  counter.left -= 1;
  if (!isJsonObject(schema) || counter.left < 0 || depth > DEEPEST) return false;
  const below = { root, counter, depth: depth + 1 };
  return Object.entries(schema).every(([key, value]) => isPlainKeyword(key, value, schema, below));
}

function isPlainKeyword(key: string, value: JsonValue, schema: JsonObject, reading: Reading): boolean {
  const { root } = reading;
  switch (key) {
    case 'default':
      return true;
    case 'description':
    case 'title':
      return typeof value === 'string';
    case '$schema':
      return schema === root;
    case '$defs':
    case 'definitions':
      return schema === root && arePlain(value, reading);
    case '$ref':
      return Object.keys(schema).every((other) => BESIDE_REFERENCE.has(other)) && isReference(value, root);
    case 'type':
      return isType(value);
    case 'properties':
      return arePlain(value, reading);
    case 'additionalProperties':
      return typeof value === 'boolean' || isPlain(value, reading);
    case 'items':
      return isPlain(value, reading);
    case 'required':
      return isListOfDistinct(value) && value.every((name) => typeof name === 'string');
    case 'enum':
      return (
        isListOfDistinct(value) && value.length > 0 && value.every((one) => typeof one !== 'object' || one === null)
      );
    default:
      return false;
  }
}

function arePlain(map: JsonValue, reading: Reading): boolean {
  if (!isJsonObject(map) || Object.hasOwn(map, '__proto__')) return false;
  return Object.values(map).every((schema) => isPlain(schema, reading));
}

/** Keywords that may accompany a reference: some drafts ignore, and others apply, all other keywords next to it. */
const BESIDE_REFERENCE = new Set(['$ref', '$schema', '$defs', 'definitions', 'default', 'description', 'title']);

function isReference(value: JsonValue, root: JsonObject): boolean {
  const target = targetOf(value, root);
  // A reference to another reference could be circular.
  return target !== undefined && !Object.hasOwn(target, '$ref');
}

function targetOf(reference: JsonValue | undefined, root: JsonObject): JsonObject | undefined {
  const [, map = '', name = ''] = /^#\/(\$defs|definitions)\/([\w.-]+)$/.exec(String(reference)) ?? [];
  const definitions = Object.hasOwn(root, map) ? root[map] : undefined;
  if (!isJsonObject(definitions) || !Object.hasOwn(definitions, name)) return undefined;
  const { [name]: target } = definitions;
  return isJsonObject(target) ? target : undefined;
}

const TYPES: ReadonlyMap<JsonValue, (data: JsonValue) => boolean> = new Map([
  ['array', (data) => Array.isArray(data)],
  ['boolean', (data) => typeof data === 'boolean'],
  ['integer', (data) => Number.isInteger(data)],
  ['null', (data) => data === null],
  ['number', (data) => Number.isFinite(data)],
  ['object', isJsonObject],
  ['string', (data) => typeof data === 'string'],
]);

function isType(value: JsonValue): boolean {
  return TYPES.has(value) || (isListOfDistinct(value) && value.length > 0 && value.every((one) => TYPES.has(one)));
}

function isListOfDistinct(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value) && new Set(value).size === value.length;
}

interface Application {
  readonly root: JsonObject;
  readonly spend: Budget['spend'];
}

const VALUES_PER_STEP = 4;

function accepts(schema: JsonObject, data: JsonValue, application: Application): boolean {
  const { $ref, type, enum: values, items } = schema;
  application.spend(1 + (Array.isArray(values) ? values.length : 0) / VALUES_PER_STEP);
  const target = $ref === undefined ? undefined : targetOf($ref, application.root);
  if (target !== undefined) return accepts(target, data, application);
  if (type !== undefined && ![type].flat().some((one) => TYPES.get(one)?.(data))) return false;
  if (Array.isArray(values) && !values.includes(data)) return false;
  if (Array.isArray(data)) {
    return !isJsonObject(items) || data.every((item: JsonValue) => accepts(items, item, application));
  }
  return !isJsonObject(data) || acceptsObject(schema, data, application);
}

function acceptsObject(
  { required, properties, additionalProperties: others }: JsonObject,
  data: JsonObject,
  application: Application,
): boolean {
  const entries = Object.entries(data);
  application.spend((entries.length + (Array.isArray(required) ? required.length : 0)) / VALUES_PER_STEP);
  if (Array.isArray(required) && !required.every((name: string) => Object.hasOwn(data, name))) return false;
  return entries.every(([key, value]) => {
    const property = isJsonObject(properties) && Object.hasOwn(properties, key) ? properties[key] : others;
    return isJsonObject(property) ? accepts(property, value, application) : property !== false;
  });
}
