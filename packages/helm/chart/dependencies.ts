import { satisfies } from '../functions/semver';
import { checkDepth } from '../go/budget';
import { trimSpace } from '../go/unicode';
import { type Budget, FunctionError, type GoValue } from '../go/values';
import {
  coalesceValues,
  copyMap,
  mergeInto,
  mergeValues,
  STEPS_PER_CHART,
  scalarAt,
  tableAt,
  type ValueMap,
} from './coalesce';
import { adopt, type WorkingChart, type WorkingDependency } from './working-chart';

/**
 * Decides which dependencies of a chart are rendered, under which names, and which of their values the chart imports
 * (helm.sh/helm/v3/pkg/chartutil/dependencies.go).
 *
 * @throws CoalesceError if the values for a dependency are not a map
 */
export function processDependencies(chart: WorkingChart, values: ReadonlyMap<string, GoValue>, budget: Budget): void {
  selectEnabled(chart, values, '', budget);
  importAll(chart, budget);
}

function selectEnabled(chart: WorkingChart, values: ReadonlyMap<string, GoValue>, path: string, budget: Budget): void {
  const { declared } = chart;
  if (declared === undefined) return;
  adopt(chart, namedDependencies(chart, declared, budget));
  const all = coalesceValues(chart, values, budget);
  for (const dependency of declared) dependency.enabled = isEnabled(dependency, all, path);
  const disabled = new Set(declared.filter(({ enabled }) => !enabled).map(({ name }) => name));
  const enabled = chart.dependencies.filter(({ name }) => !disabled.has(name));
  for (const dependency of enabled) {
    selectEnabled(dependency, all, `${path}${dependency.name}.`, budget);
  }
  const left = declared.filter(({ name }) => !disabled.has(name));
  chart.declared = left.length === 0 ? undefined : left;
  adopt(chart, enabled);
}

/** Returns the charts that are not declared, then one for each declaration, under its alias. */
function namedDependencies(
  { dependencies }: WorkingChart,
  all: readonly WorkingDependency[],
  budget: Budget,
): readonly WorkingChart[] {
  budget.spend(dependencies.length * all.length + STEPS_PER_CHART * all.length);
  const undeclared = dependencies.filter(
    (dependency) => !all.some((declared) => isDeclaredBy(dependency, declared, budget)),
  );
  const named = all.flatMap((declared) => {
    const dependency = dependencies.find((candidate) => isDeclaredBy(candidate, declared, budget));
    const name = declared.alias || declared.name;
    // Helm renames the declaration in the loop, so that later declarations of the same chart are compared by the alias.
    declared.name = name;
    return dependency === undefined ? [] : [{ ...dependency, name: declared.alias || dependency.name }];
  });
  return [...undeclared, ...named];
}

function isDeclaredBy({ name, source }: WorkingChart, declared: WorkingDependency, budget: Budget): boolean {
  return name === declared.name && isCompatible(declared.version, source.metadata.version, budget);
}

/** Whether a version satisfies a constraint; false if either is invalid. */
export function isCompatible(constraint: string, version: string, budget: Budget): boolean {
  try {
    return satisfies(constraint, version, budget);
  } catch (error) {
    if (error instanceof FunctionError) return false;
    throw error;
  }
}

/** A condition overrides tags. Only the first condition with a value of true or false counts. */
function isEnabled({ condition, tags }: WorkingDependency, values: ValueMap, path: string): boolean {
  for (const part of trimSpace(condition).split(',')) {
    const value = part === '' ? undefined : scalarAt(values, `${path}${part}`);
    if (typeof value === 'boolean') return value;
  }
  const switches = (tags ?? []).map((tag) => tableAt(values, 'tags')?.get(tag));
  return switches.includes(true) || !switches.includes(false);
}

function importAll(chart: WorkingChart, budget: Budget): void {
  budget.spend(STEPS_PER_CHART);
  for (const dependency of chart.dependencies) importAll(dependency, budget);
  if (chart.declared !== undefined) importValues(chart, chart.declared, budget);
}

/** Imported values have a lower priority than those of the chart. */
function importValues(chart: WorkingChart, all: readonly WorkingDependency[], budget: Budget): void {
  const merging = { keepsNull: true, budget };
  const values = mergeValues(chart, new Map(), budget);
  let imported: ValueMap = new Map();
  for (const declared of all) {
    for (const { child, parent } of importsOf(declared)) {
      const table = tableAt(values, `${declared.name}.${child}`);
      if (table !== undefined) imported = mergeInto(imported, atPath(parent, table, budget), merging);
    }
    const imports = importsOf(declared).map(({ child, parent }) => new Map(Object.entries({ child, parent })));
    declared.importValues = imports.length === 0 ? undefined : imports;
    declared.hasImported = true;
  }
  chart.values = mergeInto(copyMap(values, budget), imported, merging);
}

function importsOf({ importValues, hasImported }: WorkingDependency): readonly { child: string; parent: string }[] {
  if (hasImported) return [];
  return (importValues ?? []).flatMap((entry) => {
    if (typeof entry === 'string') return [{ child: `exports.${entry}`, parent: '.' }];
    return entry instanceof Map ? [{ child: pathText(entry.get('child')), parent: pathText(entry.get('parent')) }] : [];
  });
}

function pathText(value: GoValue): string {
  return value === null || value === undefined ? '<nil>' : String(value);
}

function atPath(path: string, table: ValueMap, budget: Budget): ValueMap {
  if (path === '.') return table;
  const keys = path.split('.');
  checkDepth(keys.length);
  budget.spend(STEPS_PER_CHART * keys.length);
  return keys.reduceRight<ValueMap>((inner, key) => new Map([[key, inner]]), table);
}
