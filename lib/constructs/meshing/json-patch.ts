import { JsonPatch } from 'cdk8s';
import { isObject } from '#base/is-object';
import { memberAt, pointer, pointerSegments, valueAtPointer } from '#base/json-pointer';

/**
 * Returns the patch that sets a value at a pointer, including missing maps on the path: a JSON patch adds only to
 * existing maps.
 */
export function putAt(document: unknown, path: string, value: unknown): JsonPatch {
  const keys = pointerSegments(path);
  const present = keys.findIndex(
    (_, index) =>
      memberAt(valueAtPointer(document, pointer('', ...keys.slice(0, index))), keys[index] ?? '') === undefined,
  );
  const missing = present === -1 ? keys.length - 1 : present;
  const nested = keys.slice(missing + 1).reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
  return JsonPatch.add(pointer('', ...keys.slice(0, missing + 1)), nested);
}

/** A value in the place of a map, or of an item of a list. */
export interface Obstacle {
  /** Pointer to the obstacle. */
  readonly at: string;
  readonly is: unknown;
}

/** Returns the obstacle to setting a value at a pointer, such as a string on the path, or a missing item of a list. */
export function obstacleOn(document: unknown, path: string): Obstacle | undefined {
  const keys = pointerSegments(path);
  let value = document;
  for (const [index, key] of keys.entries()) {
    const isOpen = Array.isArray(value) ? Object.hasOwn(value, key) : typeof value === 'object' && value !== null;
    if (!isOpen) return { at: pointer('', ...keys.slice(0, index)), is: value };
    value = memberAt(value, key);
    if (value === undefined) return undefined;
  }
  return isObject(value) ? undefined : { at: path, is: value };
}

/** Returns the patch that appends a value to the list at a pointer, or creates the list. */
export function appendAt(document: unknown, path: string, value: unknown): JsonPatch {
  return Array.isArray(valueAtPointer(document, path))
    ? JsonPatch.add(`${path}/-`, value)
    : putAt(document, path, [value]);
}
