import { isMap, type Values, valueAt } from '../../../helm/values';
import type { Problem } from '../../../validation/problem';

const TEMPLATES = 'The templates look into it, whatever else is set: the chart fails, and nothing is rendered';

/** Which maps, of those that a chart's templates look into come what may, were removed or replaced. */
export function missingMapProblems(values: Values, maps: readonly string[], why = TEMPLATES): readonly Problem[] {
  return maps
    .filter((path) => !isMap(valueAt(values, path)) && isParentThere(values, path))
    .map((path) => ({
      what: `values.${path} is ${JSON.stringify(valueAt(values, path) ?? null)}, not a map`,
      why,
      fix: `remove ${path} from values, and set single keys in it`,
    }));
}

/** A map that is missing is reported once, not again for each map in it. */
function isParentThere(values: Values, path: string): boolean {
  const end = path.lastIndexOf('.');
  return end === -1 || isMap(valueAt(values, path.slice(0, end)));
}
