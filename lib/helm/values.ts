/** A chart value, as JSON has it; null removes the chart's default. */
export type Value = string | number | boolean | null | readonly Value[] | Values;

/** A map of chart values. */
export interface Values {
  readonly [key: string]: Value | undefined;
}

/** Whether a value is a map, which Helm merges; everything else it replaces. */
export function isMap(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Lays values over others as Helm does it with several `-f` files: maps merge, lists and scalars replace, null stays
 * (it removes the chart's own default). Absent (`undefined`) keys leave what is there.
 */
export function mergeValues(base: Values, over: Values): Values {
  const merged: Record<string, Value | undefined> = { ...base };
  for (const [key, value] of Object.entries(over)) {
    if (value === undefined) continue;
    const before = merged[key];
    merged[key] =
      isMap(before) && isMap(value) ? mergeValues(before, value) : isMap(value) ? mergeValues({}, value) : value;
  }
  return merged;
}

/** Two values for one key. */
export interface Contradiction {
  /** Dotted path of the key. */
  readonly path: string;
  readonly fromProps: Value;
  readonly fromValues: Value;
}

/** Where `values` says something else than what props already decided. */
export function contradictions(fromProps: Values, values: Values, prefix = ''): readonly Contradiction[] {
  return Object.entries(values).flatMap(([key, value]) => {
    const decided = fromProps[key];
    if (value === undefined || decided === undefined) return [];
    const path = `${prefix}${key}`;
    if (isMap(decided) && isMap(value)) return contradictions(decided, value, `${path}.`);
    return JSON.stringify(decided) === JSON.stringify(value) ? [] : [{ path, fromProps: decided, fromValues: value }];
  });
}

/** The value at a dotted path, if any. */
export function valueAt(values: Values, path: string): Value | undefined {
  return path.split('.').reduce<Value | undefined>((value, key) => (isMap(value) ? value[key] : undefined), values);
}
