import { remembered } from '#base/remembered';
import { isMap, type Value, type Values } from '#base/values';

type Given<T> = T extends null
  ? never
  : T extends readonly unknown[]
    ? T
    : T extends object
      ? { readonly [K in keyof T]: Given<T[K]> }
      : T;

/**
 * The values of a chart as its templates read them: maps of the defaults exist, even if the user removes their
 * contents. Maps under a key in `Whole` are printed or iterated as a whole, and may be missing.
 */
export type ChartView<V, D, Whole extends string> = {
  readonly [K in keyof Required<V>]: K extends keyof D
    ? IsStructure<K, D[K], Whole> extends true
      ? ChartView<NonNullable<V[K]>, D[K], Whole>
      : Given<V[K]> | undefined
    : Given<V[K]> | undefined;
};

type IsStructure<K, D, Whole> = D extends readonly unknown[] | null
  ? false
  : D extends object
    ? NotIn<K, Whole>
    : false;
type NotIn<K, Whole> = K extends Whole ? false : true;

/**
 * Returns the values that Helm passes to templates, without nulls, which remove keys of a chart's defaults. Memoized,
 * because the checks and the templates of a chart read the same values.
 */
export const withoutNulls = remembered(nonNulls);

function nonNulls(values: Values): Values {
  return Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([key, value]) => [key, isMap(value) ? nonNulls(value) : value]),
  );
}

/** Fills in missing maps from the defaults, so that templates can read members of them. */
export function chartView(values: Values, defaults: Values, whole: ReadonlySet<string>): Values {
  const view: Record<string, Value | undefined> = { ...values };
  for (const [key, inside] of Object.entries(defaults)) {
    if (!isMap(inside) || whole.has(key)) continue;
    const value = values[key];
    view[key] = chartView(isMap(value) ? value : {}, inside, whole);
  }
  return view;
}
