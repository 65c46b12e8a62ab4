import { INJECTION_FINDINGS } from '../../../operator/api/injection/findings';
import { checkNeededMaps as missingMaps } from '../../../operator/api/injection/missing-maps';
import type { Problem } from '../../kubernetes/findings/problem';
import { isMap, type Values, valueAt } from '../../kubernetes/values';
import { LINKERD_CHART_FINDINGS } from './findings';

const TEMPLATES = 'The templates look into it, whatever else is set: the chart fails, and nothing is rendered';

/** Reports which maps, of those that a chart's templates look into come what may, were removed or replaced. */
export function checkMissingMaps(values: Values, maps: readonly string[], why = TEMPLATES): readonly Problem[] {
  return missingMaps(values, maps, why);
}

/** Values that templates print into a text without a look at whether they are there, and that were removed. */
export function checkMissingTexts(values: Values, paths: readonly string[]): readonly Problem[] {
  return paths
    .filter((path) => (valueAt(values, path) ?? undefined) === undefined)
    .map((path) =>
      INJECTION_FINDINGS.neededValueMissing({ path, value: 'null', expected: 'a text' }, { about: `values.${path}` }),
    );
}

/**
 * Versions of images that are nowhere.
 *
 * @param images - paths of versions that fall back to `linkerdVersion` where they are empty
 * @param own - paths of versions that fall back to nothing
 */
export function checkImageVersions(
  values: Values,
  images: readonly string[],
  own: readonly string[] = [],
): readonly Problem[] {
  const isGiven = (path: string) => Boolean(valueAt(values, path));
  // A map that is missing altogether is reported as such.
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

/** Reports where an extension does not know the namespace of its control plane. */
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
