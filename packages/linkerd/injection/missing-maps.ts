import type { Problem } from '#base/findings/problem';
import { isMap, type Values, valueAt } from '#base/values';
import { INJECTION_FINDINGS } from './findings';

/**
 * Reports missing or replaced maps that templates always read.
 *
 * @param reader - what reads the maps: the injector, for each pod, or the templates of a chart
 */
export function checkNeededMaps(
  values: Values,
  maps: readonly string[],
  reader: 'injector' | 'chart',
): readonly Problem[] {
  const refuse =
    reader === 'injector'
      ? INJECTION_FINDINGS.injectedValueMissingMap
      : INJECTION_FINDINGS.injectedValueMissingMapOfChart;
  return maps
    .filter((path) => !isMap(valueAt(values, path)) && isParentThere(values, path))
    .map((path) => refuse({ path, value: JSON.stringify(valueAt(values, path) ?? null) }, { about: `values.${path}` }));
}

/** A missing map is reported once, not again for each map in it. */
function isParentThere(values: Values, path: string): boolean {
  const end = path.lastIndexOf('.');
  return end === -1 || isMap(valueAt(values, path.slice(0, end)));
}
