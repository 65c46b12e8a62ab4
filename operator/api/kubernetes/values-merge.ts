/** A chart value, as JSON has it; null removes the chart's default. */
export type Value = string | number | boolean | null | readonly Value[] | Values;

/** A map of chart values. */
export interface Values {
  readonly [key: string]: Value | undefined;
}

/** Tells whether a value is a map, which Helm merges; everything else it replaces. */
export function isMap(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A member of a map, if it has one of that name itself: `constructor` and the like are keys as any other. */
export function memberOf(values: Values, key: string): Value | undefined {
  return Object.hasOwn(values, key) ? values[key] : undefined;
}

/**
 * Lays values over others as Helm does it with several `-f` files: maps merge, lists and scalars replace, null stays
 * (it removes the chart's own default). Absent (`undefined`) keys leave what is there.
 */
export function mergeValues(base: Values, over: Values): Values {
  // Not an object: assigned to one, the key `__proto__` is lost.
  const merged = new Map(Object.entries(base));
  for (const [key, value] of Object.entries(over)) {
    if (value === undefined) continue;
    const before = merged.get(key);
    merged.set(key, isMap(value) ? mergeValues(isMap(before) ? before : {}, value) : value);
  }
  return Object.fromEntries(merged);
}

/** Lays values over those of a chart as Helm does: as {@link mergeValues}, and null takes the key away. */
export function overlayValues(base: Values, over: Values): Values {
  const overlaid = new Map(Object.entries(base));
  for (const [key, value] of Object.entries(over)) {
    const before = overlaid.get(key);
    if (value === null) overlaid.delete(key);
    else if (isMap(value)) overlaid.set(key, overlayValues(isMap(before) ? before : {}, value));
    else if (value !== undefined) overlaid.set(key, value);
  }
  return Object.fromEntries(overlaid);
}
