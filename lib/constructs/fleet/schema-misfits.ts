import type Ajv from 'ajv';
import type { ErrorObject } from 'ajv';
import type { Problem } from '#base/findings/problem';
import { pointerSegments } from '#base/json-pointer';
import { onePerPlace, placeOf, withoutFollowers } from '#kubernetes/schemas/schema-errors';
import { SCHEMA_FORMATS } from '#kubernetes/schemas/schema-formats';
import type { Schema } from '#kubernetes/schemas/schema-store';
import { describeErrors, type Misfit, withoutMistyped } from '#kubernetes/schemas/schema-violation';
import { FLEET_FINDINGS } from './findings';
import type { JsonSchema } from './fleet-schema';

/** A misfit, and its place in the data. */
export interface LocatedMisfit extends Misfit {
  readonly segments: readonly string[];
  /** The value in the data, which `value` shows as text. */
  readonly data: unknown;
}

/** Checks data against one schema; adds defaults of the schema to the data. */
export type Validate = (data: unknown) => readonly LocatedMisfit[];

/** Compiles a JSON Schema of draft 7, 2019-09 or 2020-12. Returns the problem of an invalid one. */
export function compileSchema(schema: JsonSchema): Validate | Problem {
  try {
    if (isCircular(schema)) throw new Error('it refers to itself and checks nothing');
    if (schema.$async !== undefined) throw new Error('it has $async, and settings are checked synchronously');
    const validate = ajvFor(schema).compile(schema);
    return (data) => {
      if (validate(data)) return [];
      const errors = onePerPlace(withoutFollowers(validate.errors ?? []));
      return withoutMistyped(errors.flatMap((error) => located(error, data, schema)));
    };
  } catch (error) {
    return FLEET_FINDINGS.settingsRefusedSchema({ message: error instanceof Error ? error.message : String(error) });
  }
}

/** Keywords whose schemas apply to the same value as their parent. */
const IN_PLACE: readonly string[] = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', '$ref'];

/**
 * Returns true if internal references lead from a schema back to itself for the same value: validation would check
 * nothing, or not end. The validator resolves other references (`$id`, `$anchor`).
 */
function isCircular(root: unknown): boolean {
  const open = new Set<unknown>();
  const done = new Set<unknown>();
  const meetsItself = (schema: unknown): boolean => {
    if (typeof schema !== 'object' || schema === null || done.has(schema)) return false;
    if (open.has(schema)) return true;
    open.add(schema);
    const inPlace = Array.isArray(schema) ? schema : IN_PLACE.map((key) => memberOf(schema, key));
    const found = inPlace.some((next) => meetsItself(typeof next === 'string' ? targetOf(root, next) : next));
    open.delete(schema);
    done.add(schema);
    return found;
  };
  const visited = new Set<unknown>();
  const anywhere = (schema: unknown): boolean => {
    if (typeof schema !== 'object' || schema === null || visited.has(schema)) return false;
    visited.add(schema);
    return meetsItself(schema) || Object.values(schema).some(anywhere);
  };
  return anywhere(root);
}

function targetOf(root: unknown, reference: string): unknown {
  if (!reference.startsWith('#')) return undefined;
  return pointerSegments(decodeURIComponent(reference.slice(1))).reduce(memberOf, root);
}

function memberOf(holder: unknown, key: string): unknown {
  return typeof holder === 'object' && holder !== null && Object.hasOwn(holder, key)
    ? (holder as Readonly<Record<string, unknown>>)[key]
    : undefined;
}

function located(error: ErrorObject, data: unknown, schema: JsonSchema): readonly LocatedMisfit[] {
  const segments = pointerSegments(placeOf(error));
  return describeErrors([error], { data, schema: schema as Schema }).map((misfit) => ({
    ...misfit,
    segments,
    data: error.data,
  }));
}

/** Loaded on demand: most programs read no fleet file. */
function ajvFor({ $schema }: JsonSchema): Ajv {
  const draft = /draft\/(2019-09|2020-12)\//.exec(String($schema))?.[1];
  const options = {
    allErrors: true,
    strict: false,
    verbose: true,
    useDefaults: true,
    logger: false,
    formats: SCHEMA_FORMATS,
  } as const;
  if (draft === '2019-09') {
    const { default: Ajv2019 } = require('ajv/dist/2019') as typeof import('ajv/dist/2019');
    return new Ajv2019(options) as unknown as Ajv;
  }
  if (draft === '2020-12') {
    const { default: Ajv2020 } = require('ajv/dist/2020') as typeof import('ajv/dist/2020');
    return new Ajv2020(options) as unknown as Ajv;
  }
  // Two statements, because the compiler would change the meaning of `new (require('ajv') as …).default()`.
  const { default: AjvDraft7 } = require('ajv') as typeof import('ajv');
  return new AjvDraft7(options);
}
