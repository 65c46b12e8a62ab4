import type { Problem } from '#base/findings/problem';

/** Finds the problems of a string. */
export type TextCheck = (field: string, text: string) => readonly Problem[];

/**
 * The type of a value in the injector's Go program. Values that are not `needed` may be null, and are then empty or 0.
 */
export type ValueType =
  | { readonly is: 'text'; readonly needed?: boolean; readonly check?: TextCheck; readonly exact?: boolean }
  | { readonly is: 'whole'; readonly needed?: boolean; readonly from: number; readonly to: number }
  | { readonly is: 'fraction'; readonly needed?: boolean; readonly from: number; readonly to: number }
  | { readonly is: 'boolean'; readonly needed?: boolean }
  | { readonly is: 'map'; readonly needed?: boolean; readonly of: ValueTypes }
  | { readonly is: 'map of'; readonly needed?: boolean; readonly each: ValueType; readonly key?: TextCheck }
  | { readonly is: 'list'; readonly needed?: boolean; readonly each: ValueType }
  | { readonly is: 'anything'; readonly needed?: boolean };

/** The types of values by their keys. */
export type ValueTypes = Readonly<Record<string, ValueType>>;

/** Text, or a value that the injector reads as text. */
export const TEXT: ValueType = { is: 'text' };

/** True or false. */
export const BOOLEAN: ValueType = { is: 'boolean' };

/** A value of any type. */
export const ANYTHING: ValueType = { is: 'anything' };

/** Text that passes a check. */
export function textOf(check: TextCheck): ValueType {
  return { is: 'text', check };
}

/** Text that the injector passes on unchanged, where Kubernetes does not accept a number as text. */
export function exactText(check?: TextCheck): ValueType {
  return check === undefined ? { is: 'text', exact: true } : { is: 'text', exact: true, check };
}

/** A whole number within bounds. */
export function whole(from: number, to: number): ValueType {
  return { is: 'whole', from, to };
}

/** A number within bounds. */
export function fraction(from: number, to: number): ValueType {
  return { is: 'fraction', from, to };
}

/** A map with fields of these types. */
export function fields(of: ValueTypes): ValueType {
  return { is: 'map', of };
}

/** A map with any keys, with values of one type. */
export function mapOf(each: ValueType, key?: TextCheck): ValueType {
  return key === undefined ? { is: 'map of', each } : { is: 'map of', each, key };
}

/** A list of items of one type. */
export function listOf(each: ValueType): ValueType {
  return { is: 'list', each };
}

/** Marks a type as required by the injector. */
export function needed(type: ValueType): ValueType {
  return { ...type, needed: true };
}

/** Returns the type at a dotted path, if there is one. */
export function typeAt(types: ValueTypes, path: string): ValueType | undefined {
  const [key = '', ...below] = path.split('.');
  const type = Object.hasOwn(types, key) ? types[key] : undefined;
  if (type === undefined || below.length === 0) return type;
  return type.is === 'map' ? typeAt(type.of, below.join('.')) : undefined;
}

/** Returns types with changes at some dotted paths, or with some removed. */
export function withTypes(types: ValueTypes, changes: Readonly<Record<string, ValueType | undefined>>): ValueTypes {
  return Object.entries(changes).reduce((all, [path, type]) => withType(all, path.split('.'), type), types);
}

function withType(types: ValueTypes, [key = '', ...below]: readonly string[], type: ValueType | undefined): ValueTypes {
  const { [key]: before, ...others } = types;
  if (below.length > 0 && before?.is === 'map') {
    return { ...types, [key]: { ...before, of: withType(before.of, below, type) } };
  }
  return type === undefined ? others : { ...types, [key]: type };
}
