import { JsonPatch } from 'cdk8s';
import { isObject } from '../../packages/base/is-object';

/** Returns a JSON pointer (RFC 6901) below another one; `''` is the whole document. */
export function pointer(parent: string, ...keys: readonly (string | number)[]): string {
  return keys.reduce<string>((path, key) => `${path}/${escapeKey(String(key))}`, parent);
}

/** Returns the value at a pointer; undefined if there is none. */
export function valueAt(document: unknown, path: string): unknown {
  return keysOf(path).reduce<unknown>(childOf, document);
}

/**
 * Returns the patch that sets a value at a pointer, including missing maps on the path: JSON patch itself adds only to
 * existing ones.
 */
export function putAt(document: unknown, path: string, value: unknown): JsonPatch {
  const keys = keysOf(path);
  const present = keys.findIndex(
    (_, index) => childOf(valueAt(document, pointer('', ...keys.slice(0, index))), keys[index] ?? '') === undefined,
  );
  const missing = present === -1 ? keys.length - 1 : present;
  const nested = keys.slice(missing + 1).reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
  return JsonPatch.add(pointer('', ...keys.slice(0, missing + 1)), nested);
}

/** A value in the place of a map, or of an item of a list. */
export interface Obstacle {
  /** Pointer to it. */
  readonly at: string;
  readonly is: unknown;
}

/** Returns the obstacle to setting a value at a pointer, such as a string on the path, or a missing item of a list. */
export function obstacleOn(document: unknown, path: string): Obstacle | undefined {
  const keys = keysOf(path);
  let value = document;
  for (const [index, key] of keys.entries()) {
    const isOpen = Array.isArray(value) ? Object.hasOwn(value, key) : typeof value === 'object' && value !== null;
    if (!isOpen) return { at: pointer('', ...keys.slice(0, index)), is: value };
    value = childOf(value, key);
    if (value === undefined) return undefined;
  }
  return isObject(value) ? undefined : { at: path, is: value };
}

/** Returns the patch that appends a value to the list at a pointer, or creates the list. */
export function appendAt(document: unknown, path: string, value: unknown): JsonPatch {
  return Array.isArray(valueAt(document, path)) ? JsonPatch.add(`${path}/-`, value) : putAt(document, path, [value]);
}

function childOf(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[key];
}

function keysOf(path: string): readonly string[] {
  return path
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function escapeKey(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
