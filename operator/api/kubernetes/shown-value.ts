/** The length of a text that is enough to tell one value from another. */
const MOST_CHARACTERS = 1000;

/** A value of whatever type as messages show it: not all that is given where plain data should be has a form in JSON. */
export function shownValue(value: unknown): string {
  try {
    if (typeof value === 'number' || value === undefined) return String(value);
    if (typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint') return unwritable(value);
    return (isInstance(value) ? `a ${value.constructor.name}, not plain data` : JSON.stringify(value)).slice(
      0,
      MOST_CHARACTERS,
    );
  } catch {
    return typeof value;
  }
}

function unwritable(value: unknown): string {
  return typeof value === 'bigint' ? 'a BigInt' : `a ${typeof value}`;
}

/** Tells whether a value is more than a map or a list. */
function isInstance(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype !== null && Object.getPrototypeOf(prototype) !== null;
}
