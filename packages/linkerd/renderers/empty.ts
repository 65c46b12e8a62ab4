/** Whether a template of a chart treats a value as false: missing, zero or empty values. */
export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === 0 || value === false) return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** Returns a list unless it is empty. */
export function unlessEmpty<T>(list: readonly T[] | undefined): readonly T[] | undefined {
  return isEmpty(list) ? undefined : list;
}
