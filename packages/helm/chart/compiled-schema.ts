import Ajv, { type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import Ajv2019 from 'ajv/dist/2019';
import Ajv2020 from 'ajv/dist/2020';
import { RE2JS } from 're2js';
import { canonicalJson } from '#base/canonical-json';
import { MAX_DEPTH } from '#base/max-depth';
import { shortened } from '#base/shortened';
import { CHARACTERS_PER_STEP, UNLIMITED } from '../go/budget';
import { meteredRegex } from '../go/regex';
import type { Budget } from '../go/values';
import { metaschemaOf, ownReference } from './metaschemas';
import { isJsonObject, type JsonValue as Json, type JsonObject } from './objects';
import { SchemaError } from './schema-error';
import { SCHEMA_FORMATS } from './schema-formats';
import { nestingOf } from './schema-nesting';
import { isMultiple, isWithin, LIMITS, markedNumber } from './schema-numbers';

/** The drafts of JSON Schema that Helm's validator supports. */
export type Draft = '4' | '6' | '7' | '2019' | '2020';

/** A compiled schema that counts the subschemas that it applies. */
export interface CompiledSchema {
  /** Returns the problems of data. */
  readonly check: (data: unknown, budget: Budget) => readonly string[];
}

/** Compiling three subschemas takes about a millisecond. Schemas with the types of Kubernetes have a few thousand. */
const MAX_SUBSCHEMAS = 10_000;

/** Steps to compile a subschema, and steps for each character of a pattern. */
const STEPS_PER_SUBSCHEMA = 300;
const STEPS_PER_CHARACTER = 40;

/** Maximum nesting of a validation: the levels of the data times the schemas that apply to one value. */
const MAX_NESTED = 400;

/** A keyword that every subschema gets. Its value is the number of steps that applying the subschema costs. */
const COST = 'x-steps';

/**
 * Returns a schema that is compiled at its first use. Each check spends the steps of compiling, so that equal values
 * always take the same number of steps.
 *
 * @throws SchemaError if it cannot be used
 */
export function compiledSchema(schema: Json, draft: Draft): CompiledSchema {
  depthOf(schema);
  const nesting = nestingOf(schema);
  const counted = prepared(schema, draft);
  const text = JSON.stringify(counted);
  const subschemas = text.split(`"${COST}":`).length - 1;
  if (subschemas > MAX_SUBSCHEMAS) throw new SchemaError(`it has more than ${MAX_SUBSCHEMAS} subschemas`);
  const steps = subschemas * STEPS_PER_SUBSCHEMA + lengthOfPatterns(counted) * STEPS_PER_CHARACTER + text.length / 10;
  const validation = { budget: UNLIMITED };
  let validator: ValidateFunction | undefined;
  return {
    check: (data, budget) => {
      budget.spend(steps);
      const levels = depthOf(data as Json);
      if ((nesting + 1) * (levels + 1) > MAX_NESTED) throw new SchemaError('it is nested too deeply');
      validation.budget = budget;
      validator ??= compiled(ajvFor(draft, validation), counted);
      const errors = validator(data) ? [] : (validator.errors ?? []);
      return [...new Set(errors.slice(0, MAX_ERRORS).flatMap(describeError))];
    },
  };
}

/** Maximum number of errors in a message. */
const MAX_ERRORS = 1000;

/** @throws SchemaError if data is nested too deeply */
function depthOf(data: Json, depth = 0): number {
  if (depth > MAX_DEPTH) throw new SchemaError('it is nested too deeply');
  if (typeof data !== 'object' || data === null) return 0;
  let deepest = 0;
  for (const part of Object.values(data)) deepest = Math.max(deepest, 1 + depthOf(part, depth + 1));
  return deepest;
}

function lengthOfPatterns(schema: Json): number {
  if (typeof schema !== 'object' || schema === null) return 0;
  const { pattern, patternProperties } = schema as JsonObject;
  let length = typeof pattern === 'string' ? pattern.length : 0;
  if (isJsonObject(patternProperties)) length += Object.keys(patternProperties).join('').length;
  for (const part of Object.values(schema)) length += lengthOfPatterns(part);
  return length;
}

function ajvFor(draft: Draft, validation: Validation): Ajv {
  const isOld = ['4', '6', '7'].includes(draft);
  const options: Options = {
    strict: false,
    logger: false,
    allErrors: true,
    verbose: true,
    ownProperties: true,
    inlineRefs: false,
    ignoreKeywordsWithRef: isOld,
    formats: SCHEMA_FORMATS,
    // Optimizing the code takes longer than the few validations of a synth.
    code: { regExp: linearRegExp(validation), optimize: false },
  };
  const ajv = draft === '2019' ? new Ajv2019(options) : draft === '2020' ? new Ajv2020(options) : new Ajv(options);
  ajv.addKeyword({
    keyword: COST,
    errors: false,
    validate: (steps: number, data: unknown) => {
      validation.budget.spend(steps + sizeOf(data));
      return true;
    },
  });
  // Helm's validator computes with exact numbers, ajv with floats.
  ajv.removeKeyword('multipleOf');
  ajv.addKeyword({
    keyword: 'multipleOf',
    type: 'number',
    validate: (of: number | string, data: number) => isMultiple(of, data),
    error: { message: 'it is not a multiple' },
  });
  for (const keyword of Object.keys(LIMITS) as (keyof typeof LIMITS)[]) {
    ajv.addKeyword({
      keyword: `${EXACT}${keyword}`,
      type: 'number',
      validate: (limit: string, data: number) => isWithin(keyword, limit, data),
      error: { message: `${keyword} of the schema` },
    });
  }
  // ajv compares each item with all others, which is too slow for lists of thousands.
  ajv.removeKeyword('uniqueItems');
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    validate: (expected: unknown, items: readonly unknown[]) => isUnique(expected, items, validation.budget),
    error: { message: 'items must not be equal' },
  });
  return ajv;
}

interface Validation {
  budget: Budget;
}

function sizeOf(data: unknown): number {
  if (typeof data === 'string') return data.length / CHARACTERS_PER_STEP;
  if (typeof data !== 'object' || data === null) return 0;
  return Array.isArray(data) ? data.length : Object.keys(data).length;
}

/** Patterns have Go's syntax, and take linear time. */
const linearRegExp = (validation: Validation) =>
  Object.assign(
    (pattern: string) => {
      const regex = RE2JS.compile(pattern);
      // Ajv distinguishes patterns by their texts.
      return { test: (text: string) => meteredRegex(regex, validation.budget).test(text), toString: () => pattern };
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
      const metaschema = metaschemaOf(missing);
      if (metaschema !== undefined) {
        const { $id, ...schemaOfSchemas } = metaschema.schema;
        ajv.addSchema(prepared(schemaOfSchemas, metaschema.draft) as JsonObject, missing);
        continue;
      }
      // Helm accepts any value where a schema refers to a URN.
      if (!missing.startsWith('urn:'))
        throw new SchemaError(`it refers to ${missing}, which is not in the chart`, { cause: error });
      ajv.addSchema({}, missing);
    }
  }
}

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

/** Keywords that ajv supports and JSON Schema does not, or that have been read already. */
const LEFT_OUT = new Set(['$async', '$schema', 'id', 'nullable']);

const NOT_IN_DRAFT_6 = new Set(['else', 'if', 'then']);
const NOT_IN_DRAFT_4 = new Set(['const', 'contains', 'examples', 'propertyNames', ...NOT_IN_DRAFT_6]);

/** Helm's validator checks formats only in the drafts that assert them. A metaschema is read by its own draft. */
const NOT_IN_DRAFT: Readonly<Partial<Record<Draft, ReadonlySet<string>>>> = {
  '6': NOT_IN_DRAFT_6,
  '2019': new Set(['format']),
  '2020': new Set(['format']),
};

function prepared(schema: Json, draft: Draft): Json {
  if (Array.isArray(schema)) return schema.map((element: Json) => prepared(element, draft));
  if (!isJsonObject(schema)) return schema;
  const entries = Object.entries(draft === '4' ? fromDraft4(schema) : schema).filter(
    ([key]) => !LEFT_OUT.has(key) && !NOT_IN_DRAFT[draft]?.has(key),
  );
  const keywords = entries.map(([key, value]): [string, Json] => {
    if (DATA.has(key)) return [key, value];
    if (key === '$ref' && typeof value === 'string') return [key, ownReference(value)];
    const exact = markedNumber(value);
    if (exact !== undefined)
      return Object.hasOwn(LIMITS, key) ? [`${EXACT}${key}`, exact] : [key, numberOf(key, exact)];
    return [key, SCHEMA_MAPS.has(key) && isJsonObject(value) ? preparedMap(value, draft) : prepared(value, draft)];
  });
  return Object.fromEntries<Json>([[COST, stepsOf(keywords)], ...keywords]);
}

/** Prefix of the keywords whose limits no float represents exactly. */
const EXACT = 'x-';

function numberOf(keyword: string, exact: string): string | number {
  return keyword === 'multipleOf' ? exact : Number(exact);
}

function stepsOf(keywords: readonly (readonly [string, Json])[]): number {
  return keywords.reduce((steps, [key, value]) => {
    if (DATA.has(key)) return steps + JSON.stringify(value).length / CHARACTERS_PER_STEP;
    if (key === 'format') return steps + (value === 'regex' ? STEPS_FOR_PATTERN : STEPS_FOR_FORMAT);
    return steps + (isJsonObject(value) ? Object.keys(value).length : 1);
  }, STEPS_TO_APPLY);
}

/** A subschema that fails leaves an error of a few hundred bytes until all alternatives have been tried. */
const STEPS_TO_APPLY = 10;
const STEPS_FOR_FORMAT = 100;
const STEPS_FOR_PATTERN = 10_000;

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

function isUnique(expected: unknown, items: readonly unknown[], budget: Budget): boolean {
  if (expected !== true) return true;
  const texts = items.map((item) => {
    const text = canonicalJson(item);
    budget.spend(1 + text.length);
    return text;
  });
  return new Set(texts).size === items.length;
}

/** Describes an error: the most frequent ones in the words of Helm's validator, others in those of ajv. */
function describeError(error: ErrorObject): readonly string[] {
  // The parts of these keywords report their own errors.
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
      return `'${excerpt(data)}' does not match pattern '${param('pattern')}'`;
    case 'format':
      return `'${excerpt(data)}' is not valid ${param('format')}`;
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return `${keyword}: got ${data}, want ${param('limit')}`;
    default:
      return message;
  }
}

function excerpt(data: unknown): string {
  return shortened(String(data), MAX_EXCERPT_LENGTH);
}

const MAX_EXCERPT_LENGTH = 200;

function typeName(data: unknown): string {
  if (data === null) return 'null';
  return Array.isArray(data) ? 'array' : typeof data;
}
