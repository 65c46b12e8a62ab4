import { canonicalJson } from './canonical-json';
import { isObject } from './is-object';

/** Whether two values are equal as JSON, regardless of the order of keys. */
export function isSameValue(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => isSameValue(item ?? null, other[index] ?? null));
  }
  if (isPlain(one) && isPlain(other)) return isSameMap(one, other);
  // NaN, infinities, dates and undefined members are compared as JSON writes them.
  return canonicalJson(one) === canonicalJson(other);
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return isObject(value) && !('toJSON' in value);
}

function isSameMap(one: Readonly<Record<string, unknown>>, other: Readonly<Record<string, unknown>>): boolean {
  const keys = Object.keys(one).filter((key) => one[key] !== undefined);
  const otherKeys = Object.keys(other).filter((key) => other[key] !== undefined);
  return (
    keys.length === otherKeys.length &&
    keys.every((key) => Object.hasOwn(other, key) && isSameValue(one[key], other[key]))
  );
}

/** Returns the keys of two maps whose values differ; none for values that are not maps. */
export function differentMembers(before: unknown, after: unknown): readonly string[] {
  const [old, next] = [before, after].map((map) => new Map(isObject(map) ? Object.entries(map) : []));
  const keys = [...new Set([...(old?.keys() ?? []), ...(next?.keys() ?? [])])];
  return keys.filter((key) => !isSameValue(old?.get(key), next?.get(key)));
}
