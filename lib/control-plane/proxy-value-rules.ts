import { checkInjection } from '../../operator/api/injection/check-injection';
import type { Problem } from '../problems/problem';
import { unsaid } from '../problems/unsaid';
import { defaultsOf } from '../releases/chart-defaults';
import type { Release } from '../releases/release';
import type { Values } from '../releases/values';
import { checkValues } from '../schema/schema';

/**
 * Reports what of a control plane's values the injector, the proxy or Kubernetes would refuse for each pod of the mesh,
 * and the schema of the chart's values does not. What a release knows nothing of it does not miss.
 */
export function checkMeshValues(values: Values, release: Release): readonly Problem[] {
  const known = new Set(checkInjection(defaultsOf(release).controlPlane).map(({ what }) => what));
  const said = checkValues(release.charts.controlPlane, values);
  return unsaid(
    checkInjection(values).filter(({ what }) => !known.has(what)),
    said,
  );
}
