import { isMap, type Value } from '../releases/values';

/** Tells whether two values are equal, whatever the order of the keys of their maps. */
export function isSameValue(one: Value | undefined, other: Value | undefined): boolean {
  return orderedText(one) === orderedText(other);
}

/** The JSON of a value with the keys of maps in order: equal for equal values. */
export function orderedText(value: Value | undefined): string {
  return JSON.stringify(value, (_, member: Value) => (isMap(member) ? inOrder(member) : member)) ?? '';
}

function inOrder(map: object): object {
  return Object.fromEntries(Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1)));
}
