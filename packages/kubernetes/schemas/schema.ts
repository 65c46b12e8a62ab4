import type { ErrorObject } from 'ajv';
import type { Problem } from '#base/findings/problem';
import { isObject } from '#base/is-object';
import { pointerSegments } from '#base/json-pointer';
import { placeInValues } from '#base/value-path';
import type { Values } from '#base/values';
import { describeObject, type KubernetesObject } from '../objects/kubernetes-object';
import { FIELD_FINDINGS } from './findings';
import { onePerPlace, placeOf } from './schema-errors';
import { fitsSchema } from './schema-fit';
import { isBase64 } from './schema-formats';
import { type SchemaAddress, schemaAddress, schemaAt } from './schema-store';
import { describeErrors, type Misfit } from './schema-violation';

interface ChartSchema {
  readonly name: string;
  readonly version: string;
  readonly valuesOf?: string;
}

/**
 * Reports `values` that the chart does not know or would misread. Charts without a schema in `imports/` are not
 * checked.
 */
export function checkValues(chart: ChartSchema, values: Values): readonly Problem[] {
  const address = schemaAddress(`charts/${chart.name}/${chart.valuesOf}`);
  const of = `${chart.name} ${chart.version}`;
  return violations(address, values).map((misfit) => {
    const { is, path, remedy, hint } = misfit;
    const about = placeInValues(path);
    return is === 'unknown'
      ? FIELD_FINDINGS.chartValueRefusedUnknown({ path, chart: of, remedy, hint }, { about })
      : FIELD_FINDINGS.chartValueRefusedInvalid({ ...misfit, chart: of }, { about });
  });
}

/** Returns the paths of `values` that the chart does not accept: those that `checkValues` reports. */
export function misfitPaths(chart: ChartSchema, values: Values): readonly (readonly string[])[] {
  const address = schemaAddress(`charts/${chart.name}/${chart.valuesOf}`);
  if (address === undefined) return [];
  return onePerPlace(schemaErrors(address, values)).map((error) => pointerSegments(placeOf(error)));
}

/** Reports fields that an object's schema refuses or drops. Kinds without a schema in `imports/` are not checked. */
export function checkObject(object: unknown): readonly Problem[] {
  const address = objectAddress(object);
  return violations(address, withoutSecrets(object)).map((misfit) => fieldFinding(nameOf(object), misfit));
}

function fieldFinding(place: string, { is, path: field, value, expected, remedy, hint }: Misfit): Problem {
  const details = { place };
  switch (is) {
    case 'unknown':
      return FIELD_FINDINGS.fieldRefusedUnknown({ field, remedy, hint }, details);
    case 'missing':
      return FIELD_FINDINGS.fieldRefusedRequired({ field, rule: 'schema' }, details);
    case 'type':
    case 'described-type':
      return FIELD_FINDINGS.fieldRefusedType({ field, value, expected, remedy, hint }, details);
    case 'unsupported':
      return FIELD_FINDINGS.fieldRefusedNotSupported({ field, value, supported: expected, remedy, hint }, details);
    case 'repeated':
      return FIELD_FINDINGS.fieldRefusedDuplicate({ field, value, rule: 'schema', other: expected }, details);
    default:
      return FIELD_FINDINGS.fieldRefusedInvalid({ field, value, rule: is, expected }, details);
  }
}

/** Returns a Secret without data that a message could repeat; values of a wrong type keep a wrong type. */
function withoutSecrets(object: unknown): unknown {
  if (!isNamed(object) || object.kind !== 'Secret') return object;
  const { data, stringData, ...rest } = object as Named & Readonly<Record<string, unknown>>;
  return { ...rest, ...hidden({ data, stringData }) };
}

function hidden(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([field, data]) => {
      if (data === undefined) return [];
      if (!isObject(data)) return [[field, HIDDEN]];
      const members = Object.entries(data).map(([key, value]) => [key, hiddenText(value)]);
      return [[field, Object.fromEntries(members)]];
    }),
  );
}

/** Returns a string that is as valid or invalid as the one that it replaces. */
function hiddenText(value: unknown): unknown {
  if (typeof value !== 'string') return HIDDEN;
  return isBase64(value) ? '' : 'not base64';
}

const HIDDEN: readonly string[] = ['hidden'];

/** Whether `checkObject` can check the kind of an object at its version. */
export function hasSchema(object: unknown): boolean {
  return objectAddress(object) !== undefined;
}

/** The code that formats errors is loaded on demand. */
function schemaErrors(address: SchemaAddress, data: unknown): readonly ErrorObject[] {
  if (fitsSchema(schemaAt(address), data)) return [];
  const { ajvErrors } = require('./ajv-errors') as typeof import('./ajv-errors');
  return ajvErrors(address, data);
}

function violations(address: SchemaAddress | undefined, data: unknown): readonly Misfit[] {
  const errors = address === undefined ? [] : schemaErrors(address, data);
  return address === undefined || errors.length === 0
    ? []
    : describeErrors(errors, { data, schema: schemaAt(address) });
}

type Named = Pick<KubernetesObject, 'apiVersion' | 'kind'> & { readonly metadata?: KubernetesObject['metadata'] };

/** Returns the address of an object's schema; undefined if `imports/` has none. */
export function objectAddress(object: unknown): SchemaAddress | undefined {
  return isNamed(object) ? schemaAddress(`${object.apiVersion}/${object.kind}`) : undefined;
}

function isNamed(object: unknown): object is Named {
  return typeof object === 'object' && object !== null && 'apiVersion' in object && 'kind' in object;
}

/** Returns an object's name in messages, for any value. */
export function nameOf(object: unknown): string {
  if (!isNamed(object)) return 'object';
  return object.metadata?.name === undefined ? object.kind : describeObject({ ...object, metadata: object.metadata });
}
