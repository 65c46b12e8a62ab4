import { elementsOf, isGoObject, NIL_LIST, NilMap } from './reflect';
import { GoInt, type GoMethod, type GoObject, type GoValue } from './values';

const NO_FIELDS: ReadonlyMap<string, GoValue> = new Map();
const NO_METHODS: ReadonlyMap<string, GoMethod> = new Map();

/** Returns a slice of a type other than `[]interface {}`; a nil slice if `data` is undefined. */
export function typedList(goType: string, data: readonly GoValue[] | undefined): GoObject {
  return { goType, goKind: 'slice', data: data ?? NIL_LIST, fields: NO_FIELDS, methods: NO_METHODS };
}

export function stringList(texts: readonly string[] | undefined): GoObject {
  return typedList('[]string', texts);
}

export function intList(numbers: readonly GoValue[]): GoObject {
  return typedList('[]int', numbers);
}

/** Returns a `map[string]string`; a nil map if `data` is undefined. */
export function stringMap(data: ReadonlyMap<string, GoValue> | undefined): GoObject {
  const map = data === undefined ? new NilMap() : new Map(data);
  return { goType: 'map[string]string', goKind: 'map', data: map, fields: NO_FIELDS, methods: NO_METHODS };
}

const BYTES = Array.from({ length: 256 }, (_, byte) => new GoInt(BigInt(byte), 'uint8'));
const OBJECTS = new WeakMap<Uint8Array, GoObject>();

/** Returns a `[]byte`: the same object for the same file, because many objects refer to it. */
export function bytesObject(bytes: Uint8Array): GoObject {
  const known = OBJECTS.get(bytes);
  if (known !== undefined) return known;
  let data: readonly GoValue[] | undefined;
  const object: GoObject = {
    goType: '[]uint8',
    goKind: 'slice',
    get data() {
      data ??= Array.from(bytes, (byte) => BYTES[byte] as GoInt);
      return data;
    },
    fields: NO_FIELDS,
    methods: NO_METHODS,
    bytes,
  };
  OBJECTS.set(bytes, object);
  return object;
}

/** Returns the bytes of a `[]byte`; undefined for other values and for nil. */
export function bytesIn(value: GoValue): Uint8Array | undefined {
  if (!isGoObject(value) || value.goType !== '[]uint8') return undefined;
  if (value.bytes !== undefined) return value.bytes;
  const elements = elementsOf(value);
  if (elements === undefined || elements === NIL_LIST) return undefined;
  return Uint8Array.from(elements, (byte) => (byte instanceof GoInt ? Number(byte.value) : 0));
}
