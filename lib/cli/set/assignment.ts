import { isMap, type Value, type Values } from '../../kubernetes/values';
import { showPart } from './show-part';

/** Keys of maps and indexes of lists that lead to a value. */
export type ValuePath = readonly [string, ...(string | number)[]];

/** One `key=value` of a `--set` flag. */
export interface Assignment {
  readonly path: ValuePath;
  readonly value: Value;
}

/**
 * Values with one of them replaced; maps and lists on the way are made where there are none, and gaps in lists are null.
 *
 * @throws SyntaxError where something else is on the way
 */
export function assign(values: Values, { path: [key, ...rest], value }: Assignment): Values {
  const before = Object.hasOwn(values, key) ? values[key] : undefined;
  return { ...values, [key]: replaced(before, rest, value, key) };
}

function replaced(before: Value | undefined, path: readonly (string | number)[], value: Value, at: string): Value {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (typeof step === 'string') {
    if (before !== undefined && !isMap(before)) throw misplaced(at, 'no map', before);
    return assign(before ?? {}, { path: [step, ...rest], value });
  }
  if (before !== undefined && !isList(before)) throw misplaced(at, 'no list', before);
  const list = [...(before ?? [])];
  while (list.length <= step) list.push(null);
  const [next] = rest;
  // Helm puts a map in the place of whatever else is in a list.
  const inside = list[step] ?? undefined;
  const kept = typeof next === 'string' && !isMap(inside) ? undefined : inside;
  list[step] = replaced(kept, rest, value, `${at}[${step}]`);
  return list;
}

function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}

function misplaced(at: string, what: string, value: Value): SyntaxError {
  return new SyntaxError(`"${at}" is ${what} but ${showPart(value)}`);
}
