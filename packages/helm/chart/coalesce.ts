import { STEPS_PER_ENTRY, stepsToMake } from '../go/budget';
import type { Budget, GoValue } from '../go/values';
import type { WorkingChart } from './working-chart';

/** A map of values. */
export type ValueMap = Map<string, GoValue>;

const GLOBAL = 'global';

/** Steps for each chart of a render: aliases may make thousands of one chart. */
export const STEPS_PER_CHART = 100;

/** Thrown for values that do not fit their charts. */
export class CoalesceError extends Error {
  override readonly name = 'CoalesceError';
}

/**
 * Returns the values with which a chart and its dependencies are rendered: the given ones override those of the chart,
 * which override those of its dependencies. Null deletes a default. The functions of this file follow Helm
 * (helm.sh/helm/v3/pkg/chartutil/coalesce.go), without its warnings.
 *
 * @throws CoalesceError if the values for a dependency are not a map
 */
export function coalesceValues(chart: WorkingChart, values: ReadonlyMap<string, GoValue>, budget: Budget): ValueMap {
  return coalesce(chart, copyMap(values, budget), { keepsNull: false, budget });
}

/** Like `coalesceValues`, but keeps null, because another merge follows. */
export function mergeValues(chart: WorkingChart, values: ReadonlyMap<string, GoValue>, budget: Budget): ValueMap {
  return coalesce(chart, copyMap(values, budget), { keepsNull: true, budget });
}

interface Merging {
  /** Whether null remains, because another merge follows. */
  readonly keepsNull: boolean;
  readonly budget: Budget;
}

function coalesce(chart: WorkingChart, values: ValueMap, merging: Merging): ValueMap {
  merging.budget.spend(STEPS_PER_CHART);
  addDefaults(chart, values, merging);
  for (const dependency of chart.dependencies) {
    const given = values.get(dependency.name);
    if (given !== undefined && !(given instanceof Map)) {
      throw new CoalesceError(`the values of the dependency "${dependency.name}" are not a map`);
    }
    const own = given ?? new Map<string, GoValue>();
    values.set(dependency.name, own);
    addGlobals(own, values, merging.budget);
    coalesce(dependency, own, merging);
  }
  return values;
}

function addGlobals(own: ValueMap, parent: ReadonlyMap<string, GoValue>, budget: Budget): void {
  const into = own.has(GLOBAL) ? own.get(GLOBAL) : new Map<string, GoValue>();
  const from = parent.has(GLOBAL) ? parent.get(GLOBAL) : new Map<string, GoValue>();
  if (!(into instanceof Map) || !(from instanceof Map)) return;
  budget.spend(STEPS_PER_ENTRY * from.size);
  for (const [key, value] of from) {
    const present = into.get(key);
    if (!(value instanceof Map)) {
      if (!(present instanceof Map)) into.set(key, value);
      continue;
    }
    if (into.has(key) && !(present instanceof Map)) continue;
    const shallow = new Map(value);
    budget.spend(stepsToMake(shallow));
    if (present instanceof Map) mergeInto(shallow, present, { keepsNull: true, budget });
    into.set(key, shallow);
  }
  own.set(GLOBAL, into);
}

function addDefaults(chart: WorkingChart, values: ValueMap, { keepsNull, budget }: Merging): void {
  for (const [key, fallback] of copyMap(chart.values, budget)) {
    if (!values.has(key)) {
      values.set(key, fallback);
      continue;
    }
    const value = values.get(key);
    if (value === null && !keepsNull) values.delete(key);
    else if (value instanceof Map && fallback instanceof Map) {
      // Null in the values of a dependency deletes its own defaults later.
      const isOfDependency = chart.dependencies.some(({ name }) => name === key);
      mergeInto(value, fallback, { keepsNull: keepsNull || isOfDependency, budget });
    }
  }
}

/**
 * Merges `source` into `target`, which has precedence. Null in `target` deletes a key, or stays to delete it later.
 * Changes both maps, as Helm does: parts of `source` become parts of `target`.
 */
export function mergeInto(target: ValueMap, source: ValueMap, merging: Merging): ValueMap {
  merging.budget.spend(1 + STEPS_PER_ENTRY * (target.size + source.size));
  for (const [key, value] of target) if (value === null) source.set(key, null);
  for (const [key, value] of source) {
    const present = target.get(key);
    if (!target.has(key)) target.set(key, value);
    else if (present === null && !merging.keepsNull) target.delete(key);
    else if (value instanceof Map && present instanceof Map) mergeInto(present, value, merging);
  }
  return target;
}

/** Returns the map at a path of maps; undefined if there is none. */
export function tableAt(values: ValueMap, path: string): ValueMap | undefined {
  let table: GoValue = values;
  for (const key of path.split('.')) {
    table = table instanceof Map ? table.get(key) : undefined;
  }
  return table instanceof Map ? table : undefined;
}

/** Returns the value at a path of maps; undefined if there is none, or if it is a map. */
export function scalarAt(values: ValueMap, path: string): GoValue {
  const dot = path.lastIndexOf('.');
  const table = dot === -1 ? values : tableAt(values, path.slice(0, dot));
  const value = table?.get(path.slice(dot + 1));
  return value instanceof Map ? undefined : value;
}

/** Copies a map with all maps and lists in it. */
export function copyMap(values: ReadonlyMap<string, GoValue>, budget: Budget): ValueMap {
  const copy = new Map([...values].map(([key, value]) => [key, copyValue(value, budget)]));
  budget.spend(stepsToMake(copy));
  return copy;
}

function copyValue(value: GoValue, budget: Budget): GoValue {
  if (value instanceof Map) return copyMap(value, budget);
  if (!Array.isArray(value)) return value;
  budget.spend(1 + stepsToMake(value));
  return value.map((element) => copyValue(element, budget));
}
