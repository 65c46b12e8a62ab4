import type { GoValue } from '../go/values';
import type { Chart } from './chart';
import type { Dependency } from './metadata';

/** A declared dependency while a render decides on it. */
export type WorkingDependency = { -readonly [K in keyof Dependency]: Dependency[K] } & {
  /** Whether its values were imported. Helm imports the values of a chart only once, even if it has several aliases. */
  hasImported: boolean;
};

/**
 * A chart during one render, in which Helm renames, copies and removes charts. It shares all that does not change with
 * the chart that was read. Copies for aliases share the declarations and dependencies of their original, as in Helm.
 */
export interface WorkingChart {
  /** Its alias, if its parent declares one. */
  name: string;
  readonly source: Chart;
  /** The default values, including values imported from dependencies. */
  values: ReadonlyMap<string, GoValue>;
  parent: WorkingChart | undefined;
  dependencies: readonly WorkingChart[];
  /** Undefined if Chart.yaml declares no dependencies: Helm then processes none of the charts in `charts/`. */
  declared: readonly WorkingDependency[] | undefined;
}

/** Returns a chart for one render. */
export function workOn(source: Chart): WorkingChart {
  const chart: WorkingChart = {
    name: source.metadata.name,
    source,
    values: source.values,
    parent: undefined,
    dependencies: [],
    declared: source.metadata.dependencies?.map((dependency) => ({ ...dependency, hasImported: false })),
  };
  adopt(chart, source.dependencies.map(workOn));
  return chart;
}

/** Replaces the dependencies of a chart. */
export function adopt(chart: WorkingChart, dependencies: readonly WorkingChart[]): void {
  for (const dependency of dependencies) dependency.parent = chart;
  chart.dependencies = dependencies;
}

/** Returns the path of a chart in the names of templates: `parent/charts/child`. */
export function fullPath({ name, parent }: WorkingChart): string {
  return parent === undefined ? name : `${fullPath(parent)}/charts/${name}`;
}
