import { checkInjection } from '../../../operator/api/injection/check-injection';
import type { Injector } from '../../../operator/api/injection/injector';
import type { Problem } from '../../kubernetes/findings/problem';
import { unsaid } from '../../kubernetes/findings/unsaid';
import { remembered, rememberedOfBoth } from '../../kubernetes/remembered';
import { checkValues } from '../../kubernetes/schemas/schema';
import type { Values } from '../../kubernetes/values';
import type { PinnedChart } from '../../linkerd/releases/pinned-chart';
import type { Release } from '../../linkerd/releases/release';
import { releaseInjector } from '../../linkerd/releases/release';

/**
 * Reports what of a control plane's values the injector of its release, the proxy or Kubernetes would refuse for each
 * pod of the mesh, and the schema of the chart's values does not.
 */
export function checkMeshValues(values: Values, release: Release): readonly Problem[] {
  return checksFor(releaseInjector(release), release.charts.controlPlane)(values);
}

const checksFor = rememberedOfBoth((injector: Injector, chart: PinnedChart) =>
  remembered((values: Values) => unsaid(checkInjection(values, injector), checkValues(chart, values))),
);
