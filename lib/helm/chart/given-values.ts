import { GoInt, type GoValue } from '../template/values';
import { copyMap, type ValueMap } from './coalesce';

/** Values for a chart, as plain data or as a parser of Helm's flags returns them. */
export type GivenValues = Readonly<Record<string, unknown>> | ReadonlyMap<string, GoValue>;

/** Values that are no data. */
export class GivenValuesError extends Error {
  override readonly name = 'GivenValuesError';
}

/** The deepest nesting of values. */
const MOST_NESTED = 200;

/**
 * Returns values as templates see them; properties that are undefined are not there.
 *
 * @throws GivenValuesError if they contain something that is no data, or themselves
 */
export function valuesOf(given: GivenValues): ValueMap {
  if (given instanceof Map) return copyMap(given as ReadonlyMap<string, GoValue>);
  return mapOf(given as Readonly<Record<string, unknown>>, 'values', 0);
}

function mapOf(given: object, path: string, depth: number): ValueMap {
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  return new Map(entries.map(([key, value]) => [key, dataOf(value, `${path}.${key}`, depth + 1)]));
}

function dataOf(value: unknown, path: string, depth: number): GoValue {
  if (depth > MOST_NESTED)
    throw new GivenValuesError(`${path.slice(0, 100)}… is nested more than ${MOST_NESTED} levels deep`);
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (value instanceof GoInt) return value;
  if (Array.isArray(value))
    return value.map((element, index) => dataOf(element ?? null, `${path}[${index}]`, depth + 1));
  if (value instanceof Map) return copyMap(value as ReadonlyMap<string, GoValue>);
  if (typeof value === 'object' && isPlain(value)) return mapOf(value, path, depth);
  throw new GivenValuesError(`${path} is not data that YAML can hold`);
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null;
}
