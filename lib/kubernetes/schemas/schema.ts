import type { ErrorObject } from 'ajv';
import type { Problem } from '../findings/problem';
import { describeObject, type KubernetesObject } from '../kubernetes-object';
import { pointerSegments } from '../value-path';
import type { Values } from '../values';
import { FIELD_FINDINGS } from './findings';
import { onePerPlace, placeOf } from './schema-errors';
import { fitsSchema } from './schema-fit';
import { isBase64 } from './schema-formats';
import { type SchemaAddress, schemaAddress, schemaAt } from './schema-store';
import { describeErrors, faultOf, type Misfit } from './schema-violation';

/** A chart, and the release in `imports/` whose schema its values have. */
interface ChartSchema {
  readonly name: string;
  readonly version: string;
  readonly valuesOf?: string;
}

/**
 * Reports what of `values` the chart does not know or would misread. Charts without a schema in `imports/` are not
 * checked.
 */
export function checkValues(chart: ChartSchema, values: Values): readonly Problem[] {
  const address = schemaAddress(`charts/${chart.name}/${chart.valuesOf}`);
  const of = `${chart.name} ${chart.version}`;
  return violations(address, values).map((misfit) => {
    const { is, path, remedy } = misfit;
    const about = `values.${path}`;
    return is === 'unknown'
      ? FIELD_FINDINGS.valueUnknown({ path, chart: of, remedy }, { about })
      : FIELD_FINDINGS.valueInvalid({ path, fault: faultOf(misfit), chart: of, remedy }, { about });
  });
}

/** Returns where `values` are not what the chart takes: the places that `checkValues` tells of. */
export function misfitPaths(chart: ChartSchema, values: Values): readonly (readonly string[])[] {
  const address = schemaAddress(`charts/${chart.name}/${chart.valuesOf}`);
  if (address === undefined) return [];
  return onePerPlace(schemaErrors(address, values)).map((error) => pointerSegments(placeOf(error)));
}

/** Reports what of an object its schema refuses or drops. Kinds without a schema in `imports/` are not checked. */
export function checkObject(object: unknown): readonly Problem[] {
  const address = objectAddress(object);
  return violations(address, withoutSecrets(object)).map((misfit) => fieldFinding(nameOf(object), misfit));
}

function fieldFinding(place: string, { is, path: field, value, expected, remedy }: Misfit): Problem {
  const details = { place };
  switch (is) {
    case 'unknown':
      return FIELD_FINDINGS.fieldUnknown({ field, remedy }, details);
    case 'missing':
      return FIELD_FINDINGS.fieldRequired({ field, rule: 'its schema requires it', remedy }, details);
    case 'type':
      return FIELD_FINDINGS.fieldTypeInvalid({ field, value, expected, remedy }, details);
    case 'unsupported':
      return FIELD_FINDINGS.fieldNotSupported({ field, value, supported: expected, remedy }, details);
    case 'repeated':
      return FIELD_FINDINGS.fieldDuplicate({ field, value, rule: `${expected} has the same`, remedy }, details);
    case 'invalid':
      return FIELD_FINDINGS.fieldInvalid({ field, value, rule: expected, remedy }, details);
  }
}

/** A Secret with nothing in its data that a message could repeat: what is of the wrong type stays so. */
function withoutSecrets(object: unknown): unknown {
  if (!isNamed(object) || object.kind !== 'Secret') return object;
  const { data, stringData, ...others } = object as Named & Readonly<Record<string, unknown>>;
  return { ...others, ...hidden({ data, stringData }) };
}

function hidden(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([field, data]) => {
      if (data === undefined) return [];
      if (typeof data !== 'object' || data === null || Array.isArray(data)) return [[field, HIDDEN]];
      const members = Object.entries(data).map(([key, value]) => [key, hiddenText(value)]);
      return [[field, Object.fromEntries(members)]];
    }),
  );
}

/** As good or bad a text as the one that it stands for. */
function hiddenText(value: unknown): unknown {
  if (typeof value !== 'string') return HIDDEN;
  return isBase64(value) ? '' : 'not base64';
}

/** Stands for whatever is no text, and is none itself. */
const HIDDEN: readonly string[] = ['hidden'];

/** Tells whether `checkObject` knows the kind of an object at its version. */
export function hasSchema(object: unknown): boolean {
  return objectAddress(object) !== undefined;
}

/** All that is wrong with data. What makes messages of it is loaded when there are any. */
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

/** The address of the schema of an object; undefined where `imports/` has none. */
export function objectAddress(object: unknown): SchemaAddress | undefined {
  return isNamed(object) ? schemaAddress(`${object.apiVersion}/${object.kind}`) : undefined;
}

function isNamed(object: unknown): object is Named {
  return typeof object === 'object' && object !== null && 'apiVersion' in object && 'kind' in object;
}

/** An object as messages name it, whatever is given. */
export function nameOf(object: unknown): string {
  if (!isNamed(object)) return 'object';
  return object.metadata?.name === undefined ? object.kind : describeObject({ ...object, metadata: object.metadata });
}
