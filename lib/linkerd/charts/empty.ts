/** Tells whether a template of a chart counts a value as false: what is missing, zero or empty. */
export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === 0 || value === false) return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** Returns a list where it is not empty. */
export function unlessEmpty<T>(list: readonly T[] | undefined): readonly T[] | undefined {
  return isEmpty(list) ? undefined : list;
}
