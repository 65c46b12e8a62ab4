import type { Budget } from '../go/values';
import { ChartError } from './chart-error';
import { helmFault } from './chart-faults';
import type { ValueMap } from './coalesce';
import { SchemaError } from './schema-error';
import { fullPath, type WorkingChart } from './working-chart';

/**
 * Checks values against the schemas of a chart and its dependencies.
 *
 * @throws ChartError if they refuse some, with all reasons, or if a schema cannot be used
 */
export function checkValues(chart: WorkingChart, values: ValueMap, budget: Budget): void {
  const problems = problemsOf(chart, values, budget);
  if (problems.length === 0) return;
  throw new ChartError({
    chart: chart.name,
    file: 'values.schema.json',
    ...helmFault('schema-refuses', { problems: problems.join('; ') }),
  });
}

function problemsOf(chart: WorkingChart, values: ValueMap, budget: Budget): readonly string[] {
  const own = ownProblems(chart, values, budget);
  const ofDependencies = chart.dependencies.flatMap((dependency) => {
    const given = values.get(dependency.name);
    return given instanceof Map ? problemsOf(dependency, given, budget) : [];
  });
  const reasons = own.length === 0 ? [] : [`${chart.name}: ${own.join(', ')}`];
  return [...reasons, ...ofDependencies];
}

function ownProblems(chart: WorkingChart, values: ValueMap, budget: Budget): readonly string[] {
  try {
    return chart.source.schema?.check(values, budget) ?? [];
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    throw new ChartError(
      { chart: fullPath(chart), file: 'values.schema.json', ...helmFault('schema', { quote: error.message }) },
      { cause: error },
    );
  }
}
