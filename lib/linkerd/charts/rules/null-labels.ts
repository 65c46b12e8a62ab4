import type { Problem } from '../../../kubernetes/findings/problem';
import { isMap, type Values } from '../../../kubernetes/values';
import { LINKERD_CHART_FINDINGS } from '../findings';

/** Maps of texts that people fill as they like: the chart's own are empty, but for those of traces. */
const FREE_MAPS: ReadonlySet<string> = new Set([
  'annotations',
  'commonLabels',
  'labels',
  'podAnnotations',
  'podLabels',
]);

/**
 * Labels and annotations that are null. Null removes what the chart has of itself; Helm keeps others, so that one that
 * another map has comes out as null.
 *
 * @param values - all values of the chart, nulls included
 */
export function checkNullLabels(values: Values, path = 'values'): readonly Problem[] {
  return Object.entries(values).flatMap(([key, value]) => {
    if (!isMap(value) || key === 'tracing') return [];
    const place = `${path}.${key}`;
    return FREE_MAPS.has(key) ? checkNulls(value, place) : checkNullLabels(value, place);
  });
}

function checkNulls(map: Values, path: string): readonly Problem[] {
  return Object.entries(map)
    .filter(([, value]) => value === null)
    .map(([key]) =>
      LINKERD_CHART_FINDINGS.chartValueRefusedNull({ path: `${path}["${key}"]` }, { about: `${path}["${key}"]` }),
    );
}
