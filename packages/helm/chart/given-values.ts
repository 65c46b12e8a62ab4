import { MAX_DEPTH } from '#base/max-depth';
import { STEPS_PER_ENTRY } from '../go/budget';
import { type Budget, GoInt, type GoValue } from '../go/values';
import { copyMap, type ValueMap } from './coalesce';

/** Values for a chart, as plain data or as a parser of Helm's flags returns them. */
export type GivenValues = Readonly<Record<string, unknown>> | ReadonlyMap<string, GoValue>;

/** Thrown for values that are not plain data. */
export class GivenValuesError extends Error {
  override readonly name = 'GivenValuesError';
}

/**
 * Returns values as templates see them, without undefined properties.
 *
 * @throws GivenValuesError if they contain themselves, or a value that is not plain data
 */
export function valuesOf(given: GivenValues, budget: Budget): ValueMap {
  if (given instanceof Map) return copyMap(given as ReadonlyMap<string, GoValue>, budget);
  return mapOf(given as Readonly<Record<string, unknown>>, { path: 'values', depth: 0, budget });
}

interface Place {
  readonly path: string;
  readonly depth: number;
  readonly budget: Budget;
}

function mapOf(given: object, place: Place): ValueMap {
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  return new Map(entries.map(([key, value]) => [key, dataOf(value, inside(place, `.${key}`))]));
}

function inside({ path, depth, budget }: Place, segment: string): Place {
  budget.spend(STEPS_PER_ENTRY);
  return { path: path + segment, depth: depth + 1, budget };
}

function dataOf(value: unknown, place: Place): GoValue {
  const { path, depth, budget } = place;
  if (depth > MAX_DEPTH)
    throw new GivenValuesError(`${path.slice(0, 100)}… is nested more than ${MAX_DEPTH} levels deep`);
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (value instanceof GoInt) return value;
  if (Array.isArray(value)) return value.map((element, index) => dataOf(element ?? null, inside(place, `[${index}]`)));
  if (value instanceof Map) return copyMap(value as ReadonlyMap<string, GoValue>, budget);
  if (typeof value === 'object' && isPlain(value)) return mapOf(value, place);
  throw new GivenValuesError(`${path} is not data that YAML can hold`);
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null;
}
