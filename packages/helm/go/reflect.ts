import { FunctionError, GoInt, type GoObject, type GoParameterType, type GoValue } from './values';

/** Kinds and names of types, as Go's package reflect reports them. */

/** The kind of a value, as far as templates distinguish kinds; `invalid` for nil and for a missing value. */
export type GoKind = 'invalid' | 'bool' | 'string' | 'float' | 'int' | 'uint' | 'slice' | 'map' | 'struct' | 'ptr';

/** Whether a value is a GoObject. */
export function isGoObject(value: GoValue): value is GoObject {
  return (
    typeof value === 'object' &&
    value !== null &&
    !(value instanceof Map) &&
    !(value instanceof GoInt) &&
    !Array.isArray(value)
  );
}

/** Returns the kind of a value. */
export function kindOf(value: GoValue): GoKind {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'number':
      return 'float';
    case 'undefined':
      return 'invalid';
  }
  if (value === null) return 'invalid';
  if (value instanceof GoInt) return value.type.startsWith('uint') ? 'uint' : 'int';
  if (value instanceof Map) return 'map';
  return isGoObject(value) ? value.goKind : 'slice';
}

/** Returns the name of the type of a value, as `printf "%T"` prints it. */
export function typeOf(value: GoValue): string {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'number':
      return 'float64';
    case 'undefined':
      return '<nil>';
  }
  if (value === null) return '<nil>';
  if (value instanceof GoInt) return value.type;
  if (value instanceof Map) return 'map[string]interface {}';
  return isGoObject(value) ? value.goType : '[]interface {}';
}

/** Returns the name of the type of a parameter, as messages show it. */
export function parameterTypeName(type: GoParameterType): string {
  switch (type) {
    case 'any':
      return 'interface {}';
    case 'value':
      return 'reflect.Value';
    case 'list':
      return '[]interface {}';
    case 'strings':
      return '[]string';
    case 'map':
      return 'map[string]interface {}';
    default:
      return type;
  }
}

/** Returns the elements of a slice, or `undefined` for other values. */
export function elementsOf(value: GoValue): readonly GoValue[] | undefined {
  const data = isGoObject(value) && value.goKind === 'slice' ? value.data : value;
  return isList(data) ? data : undefined;
}

/** Returns the entries of a map, or `undefined` for other values. */
export function entriesOf(value: GoValue): ReadonlyMap<string, GoValue> | undefined {
  const data = isGoObject(value) && value.goKind === 'map' ? value.data : value;
  return data instanceof Map ? data : undefined;
}

/** Returns the value of a key of a map; for a missing key, the zero value of the map's elements. */
export function mapElement(map: GoValue, key: string): GoValue {
  const value = entriesOf(map)?.get(key);
  if (value !== undefined) return value;
  return isGoObject(map) ? zeroElement(map.goType) : null;
}

/** Whether the elements of a map or slice have the type `interface {}`, as messages then say. */
export function hasBoxedElements(value: GoValue): boolean {
  if (!isGoObject(value)) return true;
  return /^(map\[string\]|\[\])interface \{\}$|\.Values$/.test(value.goType);
}

/** Whether `if` treats a value as true: it is not the zero value of its type. */
export function isTrue(value: GoValue): boolean {
  if (value === undefined || value === null) return false;
  if (typeof value !== 'object') return Boolean(value) || Number.isNaN(value);
  if (value instanceof GoInt) return value.value !== 0n;
  const elements = elementsOf(value);
  if (elements !== undefined) return elements.length > 0;
  const entries = entriesOf(value);
  return entries === undefined || entries.size > 0;
}

/** A list that is nil in Go: it behaves and prints as an empty list, and is `null` in JSON and YAML. */
export const NIL_LIST: readonly GoValue[] = Object.freeze([]);

/** A map that is nil in Go: reading it gives an empty map, and writing to it fails. */
export class NilMap extends Map<string, GoValue> {
  override set(): never {
    throw new FunctionError('assignment to entry in nil map');
  }
}

/** Whether a value is nil in Go: no value, or a nil list or map. */
export function isNil(value: GoValue): boolean {
  const data = isGoObject(value) ? value.data : value;
  return data === null || data === undefined || data === NIL_LIST || data instanceof NilMap;
}

function isList(value: GoValue): value is readonly GoValue[] {
  return Array.isArray(value);
}

function zeroElement(mapType: string): GoValue {
  if (mapType.endsWith(']string')) return '';
  if (mapType !== 'engine.files') return null;
  return { goType: '[]uint8', goKind: 'slice', data: NIL_LIST, fields: new Map(), methods: new Map() };
}

/** Names of types of maps that Go assigns to `map[string]interface {}`. */
const PLAIN_MAPS: ReadonlySet<string> = new Set(['map[string]interface {}', 'chartutil.Values', 'common.Values']);

/** Returns a value as Go assigns it to a type; undefined if Go does not. */
export function assignable(value: GoValue, type: GoParameterType): GoValue {
  switch (type) {
    case 'map':
      if (isGoObject(value)) return PLAIN_MAPS.has(value.goType) ? (entriesOf(value) as GoValue) : undefined;
      return value instanceof Map ? value : undefined;
    case 'list':
      return kindOf(value) === 'slice' && typeOf(value) === '[]interface {}' ? elementsOf(value) : undefined;
    case 'strings':
      return isStrings(value) ? elementsOf(value) : undefined;
    default:
      return typeOf(value) === type ? value : undefined;
  }
}

/** An array of strings counts as well: it may be `[]string` or `[]interface {}` in Go. */
function isStrings(value: GoValue): boolean {
  if (isGoObject(value)) return value.goType === '[]string';
  return elementsOf(value)?.every((element) => typeof element === 'string') ?? false;
}
