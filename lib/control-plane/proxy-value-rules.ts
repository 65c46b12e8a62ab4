import { checkInjection } from '../../operator/api/injection/check-injection';
import { remembered, rememberedOfBoth } from '../kubernetes/remembered';
import type { Problem } from '../problems/problem';
import { unsaid } from '../problems/unsaid';
import { defaultsOf } from '../releases/chart-defaults';
import type { PinnedChart } from '../releases/pinned-chart';
import type { Release } from '../releases/release';
import type { Values } from '../releases/values';
import { checkValues } from '../schema/schema';

/**
 * Reports what of a control plane's values the injector, the proxy or Kubernetes would refuse for each pod of the mesh,
 * and the schema of the chart's values does not. What a release knows nothing of it does not miss.
 */
export function checkMeshValues(values: Values, release: Release): readonly Problem[] {
  return checkOver(defaultsOf(release).controlPlane, release.charts.controlPlane)(values);
}

const checkOver = rememberedOfBoth((defaults: Values, chart: PinnedChart) => {
  const known = new Set(checkInjection(defaults).map(({ what }) => what));
  return remembered((values: Values) =>
    unsaid(
      checkInjection(values).filter(({ what }) => !known.has(what)),
      checkValues(chart, values),
    ),
  );
});
