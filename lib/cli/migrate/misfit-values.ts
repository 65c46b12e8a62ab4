import type { Problem } from '../../kubernetes/findings/problem';
import { checkValues, misfitPaths } from '../../kubernetes/schemas/schema';
import type { Values } from '../../kubernetes/values';
import type { PinnedChart } from '../../linkerd/releases/pinned-chart';
import { RemainingValues } from './remaining-values';

/** Values that a chart takes, and what had to be left out for that. */
export interface FittingValues {
  readonly values: Values;
  /** The problem of each value that was left out. */
  readonly leftOut: readonly Problem[];
  /** Problems that stay all the same. */
  readonly problems: readonly Problem[];
}

/**
 * Leaves out values that a chart does not know, or not in that form; of a list all, as it means something as a whole.
 */
export function fittingValues(chart: PinnedChart, values: Values): FittingValues {
  const remaining = new RemainingValues(values);
  const problems = checkValues(chart, values);
  for (const path of misfitPaths(chart, values)) remaining.takeMost(path);
  const rest = remaining.values ?? {};
  const left = checkValues(chart, rest);
  // A value can hide that another one does not fit.
  if (left.length === 0 || problems.length === 0) return { values: rest, leftOut: problems, problems: left };
  if (JSON.stringify(rest) === JSON.stringify(values)) return { values, leftOut: [], problems };
  const further = fittingValues(chart, rest);
  return { ...further, leftOut: [...problems, ...further.leftOut] };
}
