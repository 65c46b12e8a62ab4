import { INJECTION_FINDINGS } from '../../../../operator/api/injection/findings';
import type { Problem } from '../../../kubernetes/findings/problem';
import { isMap, type Values, valueAt } from '../../../kubernetes/values';
import { LINKERD_CHART_FINDINGS } from '../findings';

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
