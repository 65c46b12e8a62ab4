import { isMap, memberOf, type Value, type Values } from '../../kubernetes/values';

/** Whether two values are equal, regardless of the order of keys. */
export function isSameValue(one: Value | undefined, other: Value | undefined): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => isSameValue(item, other[index]));
  }
  if (isMap(one) && isMap(other)) return isSameMap(one, other);
  // NaN, infinities and undefined members are compared as JSON writes them.
  return orderedText(one) === orderedText(other);
}

function isSameMap(one: Values, other: Values): boolean {
  const keys = Object.keys(one).filter((key) => one[key] !== undefined);
  const others = Object.keys(other).filter((key) => other[key] !== undefined);
  return (
    keys.length === others.length && keys.every((key) => Object.hasOwn(other, key) && isSameValue(one[key], other[key]))
  );
}

/** Returns the JSON of a value with sorted keys: equal for equal values. */
export function orderedText(value: Value | undefined): string {
  return JSON.stringify(value, (_, member: Value) => (isMap(member) ? inOrder(member) : member)) ?? '';
}

function inOrder(map: object): object {
  return Object.fromEntries(Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Returns the keys of two maps whose values differ; none for values that are not maps. */
export function differentMembers(before: unknown, after: unknown): readonly string[] {
  const [old, next] = [before, after].map((map) => (isMap(map as Value) ? (map as Values) : {}));
  const keys = [...new Set([...Object.keys(old ?? {}), ...Object.keys(next ?? {})])];
  return keys.filter((key) => !isSameValue(memberOf(old ?? {}, key), memberOf(next ?? {}, key)));
}
