import { elementsOf, entriesOf } from './reflect';
import type { GoMethod, GoObject, GoValue } from './values';

/** A field of a struct: its name, its key as JSON, and its value. */
type Field = readonly [name: string, key: string, value: GoValue];

/** Which fields JSON has; with a key in the place of `not empty`, those fields even if they are empty. */
type FieldsInJson = 'all' | 'not empty' | readonly string[];

/** The fields of a struct. Writers keep their order; those of a map are sorted. */
export class DeclaredFields extends Map<string, GoValue> {}

/** Returns a Go struct, or with a `*` before its type a pointer to one. */
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
