import type { JsonObject } from './objects';

const POSITIVE: JsonObject = { type: 'integer', minimum: 0 };
const SCHEMA: JsonObject = { $ref: '#' };
const SCHEMAS: JsonObject = { type: 'object', additionalProperties: SCHEMA };
const SCHEMA_LIST: JsonObject = { type: 'array', minItems: 1, items: SCHEMA };
const TEXTS: JsonObject = { type: 'array', items: { type: 'string' }, minItems: 1, uniqueItems: true };
const TYPES: JsonObject = { enum: ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'] };

/** The metaschema of draft 4, in which only additionalItems and additionalProperties may be true or false. */
const DRAFT_4: JsonObject = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    $schema: { type: 'string', format: 'uri' },
    title: { type: 'string' },
    description: { type: 'string' },
    multipleOf: { type: 'number', minimum: 0, exclusiveMinimum: true },
    maximum: { type: 'number' },
    exclusiveMaximum: { type: 'boolean' },
    minimum: { type: 'number' },
    exclusiveMinimum: { type: 'boolean' },
    maxLength: POSITIVE,
    minLength: POSITIVE,
    pattern: { type: 'string', format: 'regex' },
    additionalItems: { anyOf: [{ type: 'boolean' }, SCHEMA] },
    items: { anyOf: [SCHEMA, SCHEMA_LIST] },
    maxItems: POSITIVE,
    minItems: POSITIVE,
    uniqueItems: { type: 'boolean' },
    maxProperties: POSITIVE,
    minProperties: POSITIVE,
    required: TEXTS,
    additionalProperties: { anyOf: [{ type: 'boolean' }, SCHEMA] },
    definitions: SCHEMAS,
    properties: SCHEMAS,
    patternProperties: SCHEMAS,
    dependencies: { type: 'object', additionalProperties: { anyOf: [SCHEMA, TEXTS] } },
    enum: { type: 'array', minItems: 1, uniqueItems: true },
    type: { anyOf: [TYPES, { type: 'array', items: TYPES, minItems: 1, uniqueItems: true }] },
    format: { type: 'string' },
    allOf: SCHEMA_LIST,
    anyOf: SCHEMA_LIST,
    oneOf: SCHEMA_LIST,
    not: SCHEMA,
  },
  dependencies: { exclusiveMaximum: ['maximum'], exclusiveMinimum: ['minimum'] },
};

/** Renames a reference to the metaschema of draft 4, 6 or 7, so that the compiler does not use its own metaschema. */
export function ownReference(reference: string): string {
  return reference.replace(/^https?:\/\/json-schema\.org\/draft-0([467])\/schema(?=#|$)/, 'urn:schemas:draft-0$1');
}

/** Returns the metaschema of draft 4, 6 or 7 by the name that `ownReference` returns; undefined for other names. */
export function metaschemaOf(
  reference: string,
): { readonly draft: '4' | '6' | '7'; readonly schema: JsonObject } | undefined {
  const draft = /^urn:schemas:draft-0([467])$/.exec(reference)?.[1];
  if (draft === '4') return { draft, schema: DRAFT_4 };
  if (draft === '6') return { draft, schema: require('ajv/dist/refs/json-schema-draft-06.json') as JsonObject };
  if (draft === '7') return { draft, schema: require('ajv/dist/refs/json-schema-draft-07.json') as JsonObject };
  return undefined;
}
