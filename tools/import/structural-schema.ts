import { formatOf, listTypeOf } from './formats';
import { type JsonSchema, sortedByKey } from './json-schema';

/** Keywords that limit a value and have the same meaning in a CRD's structural schema and in JSON Schema. */
const BOUNDS = [
  'maxItems',
  'maxLength',
  'maxProperties',
  'maximum',
  'minItems',
  'minLength',
  'minProperties',
  'minimum',
  'multipleOf',
] as const;

/**
 * The schema that accepts the objects that the API server stores without dropping a field: the API server keeps only
 * the fields of a structural schema, so this schema refuses every other field.
 *
 * It has no CEL rules, no defaults, and only the formats of `formats.ts`. A field with a default is not required.
 */
export function closeStructural(schema: JsonSchema): JsonSchema {
  const values = valueRules(schema);
  return nullable(schema, { ...shape(schema), ...values });
}

function shape(schema: JsonSchema): JsonSchema {
  const { type } = schema;
  if (schema['x-kubernetes-int-or-string'] === true) return { type: ['integer', 'string'] };
  if (type === 'array') return { type, items: closeStructural(schema.items ?? {}), ...listTypeOf(schema) };
  if (type === 'object') return { type, ...fields(schema) };
  return type === undefined ? {} : { type, ...formatOf(schema) };
}

function fields(schema: JsonSchema): JsonSchema {
  if (typeof schema.additionalProperties === 'object') {
    return { additionalProperties: closeStructural(schema.additionalProperties) };
  }
  const open = schema['x-kubernetes-preserve-unknown-fields'] === true || schema.additionalProperties === true;
  const properties = schema.properties ?? {};
  const required = (schema.required ?? []).filter((name) => properties[name]?.default === undefined);
  return {
    ...(Object.keys(properties).length > 0 && { properties: sortedByKey(mapValues(properties, closeStructural)) }),
    ...(required.length > 0 && { required: [...required].sort() }),
    additionalProperties: open,
  };
}

/**
 * Returns the rules for a value of any type. In `not`, `allOf`, `anyOf` and `oneOf`, structural schemas have no others.
 */
function valueRules(schema: JsonSchema): JsonSchema {
  const rules: Record<string, unknown> = {};
  for (const bound of BOUNDS) if (schema[bound] !== undefined) rules[bound] = schema[bound];
  if (schema.enum !== undefined) rules.enum = schema.enum;
  if (schema.pattern !== undefined && isJavaScriptPattern(schema.pattern)) rules.pattern = schema.pattern;
  if (schema['x-kubernetes-int-or-string'] === true) return rules;
  for (const junctor of ['allOf', 'anyOf', 'oneOf'] as const) {
    if (schema[junctor] !== undefined) rules[junctor] = schema[junctor].map(closeJunct);
  }
  if (schema.not !== undefined) rules.not = closeJunct(schema.not);
  return rules;
}

/** A member of `not`, `allOf`, `anyOf` or `oneOf`: it has only rules about values, so it stays open. */
function closeJunct(schema: JsonSchema): JsonSchema {
  return {
    ...(schema.type !== undefined && { type: schema.type }),
    ...(schema.properties !== undefined && { properties: sortedByKey(mapValues(schema.properties, closeJunct)) }),
    ...(schema.items !== undefined && { items: closeJunct(schema.items) }),
    ...(schema.required !== undefined && { required: schema.required }),
    ...valueRules(schema),
  };
}

function nullable(original: JsonSchema, closed: JsonSchema): JsonSchema {
  if (original.nullable !== true || closed.type === undefined) return closed;
  const types = Array.isArray(closed.type) ? closed.type : [closed.type];
  return { ...closed, type: [...types, 'null'], ...(closed.enum !== undefined && { enum: [...closed.enum, null] }) };
}

/** Patterns are written for Go. This schema leaves out those that JavaScript's strict (`u`) mode does not parse. */
function isJavaScriptPattern(pattern: string): boolean {
  try {
    new RegExp(pattern, 'u');
    return true;
  } catch {
    return false;
  }
}

function mapValues(
  properties: Readonly<Record<string, JsonSchema>>,
  change: (schema: JsonSchema) => JsonSchema,
): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, change(schema)]));
}
