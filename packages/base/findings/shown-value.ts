import { isObject } from '../is-object';

const MAX_CHARACTERS = 1000;

/** Formats a value of any type for messages: not every value has a JSON form. */
export function shownValue(value: unknown): string {
  try {
    if (typeof value === 'number' || value === undefined) return String(value);
    if (typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint') return unwritable(value);
    return (isInstance(value) ? `an instance of ${value.constructor.name}` : JSON.stringify(value)).slice(
      0,
      MAX_CHARACTERS,
    );
  } catch {
    return typeof value;
  }
}

function unwritable(value: unknown): string {
  return typeof value === 'bigint' ? 'a BigInt' : `a ${typeof value}`;
}

function isInstance(value: unknown): value is object {
  if (!isObject(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype !== null && Object.getPrototypeOf(prototype) !== null;
}
