import { elementsOf, entriesOf } from './reflect';
import type { GoMethod, GoObject, GoValue } from './values';

/** A field of a struct: its name, its key as JSON, and its value. */
type Field = readonly [name: string, key: string, value: GoValue];

/** Which fields JSON includes: all, those that are not empty, or these keys and all others that are not empty. */
type FieldsInJson = 'all' | 'not empty' | readonly string[];

/** The fields of a struct. Writers keep their order, whereas they sort the entries of a map. */
export class DeclaredFields extends Map<string, GoValue> {}

/** Returns a Go struct; if its type begins with `*`, a pointer to a struct. */
export function structObject(
  goType: string,
  fields: readonly Field[],
  json: FieldsInJson,
  methods: ReadonlyMap<string, GoMethod> = new Map(),
): GoObject {
  const isWritten = ([, key, value]: Field) =>
    json === 'all' || (json !== 'not empty' && json.includes(key)) || !isEmpty(value);
  return {
    goType,
    goKind: goType.startsWith('*') ? 'ptr' : 'struct',
    data: new DeclaredFields(fields.filter(isWritten).map(([, key, value]) => [key, value])),
    fields: new Map(fields.map(([name, , value]) => [name, value])),
    methods,
  };
}

function isEmpty(value: GoValue): boolean {
  return value === '' || value === false || elementsOf(value)?.length === 0 || entriesOf(value)?.size === 0;
}

/** Returns the value of a field of a struct, or of its embedded field; undefined if it has none of this name. */
export function fieldOf({ fields, embedded }: GoObject, name: string): GoValue {
  if (fields.has(name) || embedded === undefined) return fields.get(name);
  const inside = fields.get(embedded);
  return isStruct(inside) ? inside.fields.get(name) : undefined;
}

function isStruct(value: GoValue): value is GoObject {
  return typeof value === 'object' && value !== null && 'fields' in value;
}
