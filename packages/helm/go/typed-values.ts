import type { GoMethod, GoObject, GoValue } from './values';

const NO_FIELDS: ReadonlyMap<string, GoValue> = new Map();
const NO_METHODS: ReadonlyMap<string, GoMethod> = new Map();

/** A list that is nil in Go: it counts and prints as an empty one, and is `null` as JSON and YAML. */
export const NIL_LIST: readonly GoValue[] = Object.freeze([]);

/** A slice of another type than `[]interface {}`. */
export function typedList(goType: string, data: readonly GoValue[]): GoObject {
  return { goType, goKind: 'slice', data, fields: NO_FIELDS, methods: NO_METHODS };
}

export function stringList(texts: readonly string[]): GoObject {
  return typedList('[]string', texts);
}

export function intList(numbers: readonly GoValue[]): GoObject {
  return typedList('[]int', numbers);
}

export function stringMap(data: Map<string, GoValue>): GoObject {
  return { goType: 'map[string]string', goKind: 'map', data, fields: NO_FIELDS, methods: NO_METHODS };
}
