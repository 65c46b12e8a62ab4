import type { Problem } from '#base/findings/problem';
import { isMap, type Values, valueAt } from '#base/values';
import { INJECTION_FINDINGS } from '../injection/findings';
import { checkNeededMaps } from '../injection/missing-maps';
import { LINKERD_CHART_FINDINGS } from './findings';

/** Reports maps that a chart's templates always read, and that were removed or replaced. */
export function checkMissingMaps(values: Values, maps: readonly string[]): readonly Problem[] {
  return checkNeededMaps(values, maps, 'chart');
}

/** Reports removed values that templates print into a string without a check. */
export function checkMissingTexts(values: Values, paths: readonly string[]): readonly Problem[] {
  return paths
    .filter((path) => (valueAt(values, path) ?? undefined) === undefined)
    .map((path) =>
      INJECTION_FINDINGS.injectedValueMissingValue(
        { path, value: 'null', expected: 'a string' },
        { about: `values.${path}` },
      ),
    );
}

/**
 * Reports missing versions of images.
 *
 * @param images - paths of versions that default to `linkerdVersion` if they are empty
 * @param own - paths of versions without a default
 */
export function checkImageVersions(
  values: Values,
  images: readonly string[],
  own: readonly string[] = [],
): readonly Problem[] {
  const isGiven = (path: string) => Boolean(valueAt(values, path));
  // Missing maps are reported separately.
  const isThere = (path: string) => isMap(valueAt(values, path.slice(0, path.lastIndexOf('.'))));
  const paths = [...own.filter(isThere), ...(images.every(isGiven) ? [] : ['linkerdVersion'])];
  return paths
    .filter((path) => !isGiven(path))
    .map((path) =>
      LINKERD_CHART_FINDINGS.chartValueMissingImageVersion(
        { path, value: JSON.stringify(valueAt(values, path) ?? null) },
        { about: `values.${path}` },
      ),
    );
}

/** Reports an extension without the namespace of its control plane. */
export function checkControlPlaneNamespace({
  linkerdNamespace,
}: {
  readonly linkerdNamespace: string | undefined;
}): readonly Problem[] {
  if (linkerdNamespace) return [];
  return [
    LINKERD_CHART_FINDINGS.chartValueMissingControlPlaneNamespace(
      { value: JSON.stringify(linkerdNamespace ?? null) },
      { about: 'values.linkerdNamespace' },
    ),
  ];
}

/** Maps of strings that users fill. In the charts they are empty, except those of traces. */
const FREE_MAPS: ReadonlySet<string> = new Set([
  'annotations',
  'commonLabels',
  'labels',
  'podAnnotations',
  'podLabels',
]);

/**
 * Reports labels and annotations that are null. Helm drops a null only if the chart has the same key, and renders any
 * other one as null.
 *
 * @param values - all values of the chart, including nulls
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
