import Ajv, { type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import Ajv2019 from 'ajv/dist/2019';
import Ajv2020 from 'ajv/dist/2020';
import { RE2JS } from 're2js';
import type { Budget } from '../template/values';
import { isJsonObject, type JsonValue as Json, type JsonObject } from './objects';
import { SchemaError } from './schema-error';
import { SCHEMA_FORMATS } from './schema-formats';

/** The drafts of JSON Schema that Helm's validator knows. */
export type Draft = '4' | '6' | '7' | '2019' | '2020';

/** A compiled schema that counts the subschemas that it applies. */
export interface CompiledSchema {
  /** Returns what is wrong with data. */
  readonly check: (data: unknown, budget: Budget) => readonly string[];
}

/**
 * Compiles a schema.
 *
 * @throws SchemaError if it cannot be used
 */
export function compiledSchema(schema: Json, draft: Draft): CompiledSchema {
  try {
    return compile(schema, draft);
  } catch (error) {
    if (error instanceof RangeError) throw new SchemaError('it is nested too deeply', { cause: error });
    throw error;
  }
}

/** Compiling takes a millisecond for about three of them. Schemas with the types of Kubernetes have some thousands. */
const MOST_SUBSCHEMAS = 20_000;

/** The keyword that every subschema gets, so that applying it costs a step. */
const COUNT = 'x-budget-step';

function compile(schema: Json, draft: Draft): CompiledSchema {
  let spend: Budget['spend'] = () => undefined;
  const ajv = ajvFor(draft);
  ajv.addKeyword({
    keyword: COUNT,
    errors: false,
    validate: () => {
      spend(1);
      return true;
    },
  });
  // Comparing each item with each other takes too long for lists of thousands.
  ajv.removeKeyword('uniqueItems');
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    validate: isUnique,
    error: { message: 'items must not be equal' },
  });
  const counted = prepared(schema, draft);
  if (JSON.stringify(counted).split(`"${COUNT}":`).length > MOST_SUBSCHEMAS) {
    throw new SchemaError(`it has more than ${MOST_SUBSCHEMAS} subschemas`);
  }
  const validator = compiled(ajv, counted);
  return {
    check: (data, budget) => {
      spend = budget.spend;
      try {
        const errors = validator(data) ? [] : (validator.errors ?? []);
        return [...new Set(errors.flatMap(describeError))];
      } catch (error) {
        if (error instanceof RangeError) throw new SchemaError('it applies to itself without end', { cause: error });
        throw error;
      }
    },
  };
}

/** Helm's validator checks formats only in the drafts that assert them. */
function ajvFor(draft: Draft): Ajv {
  const isOld = ['4', '6', '7'].includes(draft);
  const options: Options = {
    strict: false,
    logger: false,
    allErrors: true,
    verbose: true,
    ownProperties: true,
    inlineRefs: false,
    ignoreKeywordsWithRef: isOld,
    validateFormats: isOld,
    formats: SCHEMA_FORMATS,
    // Optimizing the code takes longer than the few validations of a synth.
    code: { regExp: linearRegExp, optimize: false },
  };
  if (draft === '2019') return new Ajv2019(options);
  return draft === '2020' ? new Ajv2020(options) : new Ajv(options);
}

/** Patterns are those of Go, and never take more than linear time. */
const linearRegExp = Object.assign(
  (pattern: string) => {
    const compiledPattern = RE2JS.compile(pattern);
    // Ajv tells patterns apart by their texts.
    return { test: (text: string) => compiledPattern.matcher(text).find(), toString: () => pattern };
  },
  { code: 'linearRegExp' },
);

function compiled(ajv: Ajv, schema: Json): ValidateFunction {
  for (;;) {
    try {
      return ajv.compile(schema as boolean | JsonObject);
    } catch (error) {
      const missing = (error as { readonly missingSchema?: unknown }).missingSchema;
      if (typeof missing !== 'string')
        throw new SchemaError(`it is not valid: ${(error as Error).message}`, { cause: error });
      // Helm accepts everything where a schema names a URN.
      if (!missing.startsWith('urn:'))
        throw new SchemaError(`it refers to ${missing}, which is not in the chart`, { cause: error });
      ajv.addSchema({}, missing);
    }
  }
}

/** Keywords that contain a subschema, a list of them, or a map to them. */
const SCHEMA_MAPS = new Set([
  '$defs',
  'definitions',
  'dependencies',
  'dependentSchemas',
  'patternProperties',
  'properties',
]);

/** Keywords that contain data, which may look like a schema. */
const DATA = new Set(['const', 'default', 'dependentRequired', 'enum', 'examples', 'required', 'type', '$vocabulary']);

/** Keywords that ajv knows and JSON Schema does not, or that are known already. */
const LEFT_OUT = new Set(['$async', '$schema', 'id', 'nullable']);

/** Keywords that the drafts 4 and 6 do not know. */
const NOT_IN_DRAFT_6 = new Set(['else', 'if', 'then']);
const NOT_IN_DRAFT_4 = new Set(['const', 'contains', 'examples', 'propertyNames', ...NOT_IN_DRAFT_6]);

/** Returns a schema as ajv understands it, with a step in every subschema. */
function prepared(schema: Json, draft: Draft): Json {
  if (Array.isArray(schema)) return schema.map((element: Json) => prepared(element, draft));
  if (!isJsonObject(schema)) return schema;
  const entries = Object.entries(draft === '4' ? fromDraft4(schema) : schema).filter(
    ([key]) => !LEFT_OUT.has(key) && !(draft === '6' && NOT_IN_DRAFT_6.has(key)),
  );
  const keywords = entries.map(([key, value]): [string, Json] => {
    if (DATA.has(key)) return [key, value];
    return [key, SCHEMA_MAPS.has(key) && isJsonObject(value) ? preparedMap(value, draft) : prepared(value, draft)];
  });
  return Object.fromEntries<Json>([[COUNT, true], ...keywords]);
}

function preparedMap(map: JsonObject, draft: Draft): Json {
  return Object.fromEntries<Json>(
    Object.entries(map).map(([key, value]) => [key, isJsonObject(value) ? prepared(value, draft) : value]),
  );
}

function fromDraft4(schema: JsonObject): JsonObject {
  const { id, exclusiveMinimum, exclusiveMaximum, minimum, maximum, ...rest } = schema;
  if (![exclusiveMinimum, exclusiveMaximum].every((flag) => flag === undefined || typeof flag === 'boolean')) {
    throw new SchemaError('it is not valid: exclusiveMinimum and exclusiveMaximum are true or false in draft 4');
  }
  const known = Object.entries(rest).filter(([key]) => !NOT_IN_DRAFT_4.has(key));
  return Object.fromEntries<Json>([
    ...known,
    ...(typeof id === 'string' ? [['$id', id] as const] : []),
    ...bound('inimum', minimum, exclusiveMinimum),
    ...bound('aximum', maximum, exclusiveMaximum),
  ]);
}

function bound(
  name: string,
  limit: Json | undefined,
  isExclusive: Json | undefined,
): readonly (readonly [string, Json])[] {
  if (limit === undefined) return [];
  return [[isExclusive === true ? `exclusiveM${name}` : `m${name}`, limit]];
}

function isUnique(expected: unknown, items: readonly unknown[]): boolean {
  return expected !== true || new Set(items.map((item) => canonical(item))).size === items.length;
}

/** Returns JSON with sorted keys, which is equal for equal data. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

/** Describes an error in the words of Helm's validator, as far as they are its most frequent ones. */
function describeError(error: ErrorObject): readonly string[] {
  // What the parts of these keywords found is reported by itself.
  if (['if', 'allOf'].includes(error.keyword)) return [];
  return [`at '${error.instancePath}': ${reasonOf(error)}`];
}

function reasonOf({ keyword, params, data, message = 'it is not valid' }: ErrorObject): string {
  const param = (name: string) => (params as Record<string, unknown>)[name];
  switch (keyword) {
    case 'type':
      return `got ${typeName(data)}, want ${[param('type')].flat().join(' or ')}`;
    case 'required':
      return `missing property '${param('missingProperty')}'`;
    case 'additionalProperties':
      return `additional properties '${param('additionalProperty')}' not allowed`;
    case 'enum':
      return `value must be one of ${(param('allowedValues') as readonly unknown[]).map((one) => JSON.stringify(one)).join(', ')}`;
    case 'const':
      return `value must be ${JSON.stringify(param('allowedValue'))}`;
    case 'pattern':
      return `'${data}' does not match pattern '${param('pattern')}'`;
    case 'format':
      return `'${data}' is not valid ${param('format')}`;
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return `${keyword}: got ${data}, want ${param('limit')}`;
    default:
      return message;
  }
}

function typeName(data: unknown): string {
  if (data === null) return 'null';
  return Array.isArray(data) ? 'array' : typeof data;
}
