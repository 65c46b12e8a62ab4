import { elementsOf, isGoObject, NIL_LIST, NilMap } from './reflect';
import { GoInt, type GoMethod, type GoObject, type GoValue } from './values';

const NO_FIELDS: ReadonlyMap<string, GoValue> = new Map();
const NO_METHODS: ReadonlyMap<string, GoMethod> = new Map();

/** A slice of another type than `[]interface {}`; nil if there are no elements to give. */
export function typedList(goType: string, data: readonly GoValue[] | undefined): GoObject {
  return { goType, goKind: 'slice', data: data ?? NIL_LIST, fields: NO_FIELDS, methods: NO_METHODS };
}

export function stringList(texts: readonly string[] | undefined): GoObject {
  return typedList('[]string', texts);
}

export function intList(numbers: readonly GoValue[]): GoObject {
  return typedList('[]int', numbers);
}

/** A map of texts; nil if there is none. */
export function stringMap(data: ReadonlyMap<string, GoValue> | undefined): GoObject {
  const map = data === undefined ? new NilMap() : new Map(data);
  return { goType: 'map[string]string', goKind: 'map', data: map, fields: NO_FIELDS, methods: NO_METHODS };
}

const BYTES = Array.from({ length: 256 }, (_, byte) => new GoInt(BigInt(byte), 'uint8'));
const OBJECTS = new WeakMap<Uint8Array, GoObject>();

/** Returns a `[]byte`; one for each file, which many objects have. */
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

/** Returns the bytes of a `[]byte`; undefined for everything else, and for one that is nil. */
export function bytesIn(value: GoValue): Uint8Array | undefined {
  if (!isGoObject(value) || value.goType !== '[]uint8') return undefined;
  if (value.bytes !== undefined) return value.bytes;
  const elements = elementsOf(value);
  if (elements === undefined || elements === NIL_LIST) return undefined;
  return Uint8Array.from(elements, (byte) => (byte instanceof GoInt ? Number(byte.value) : 0));
}
