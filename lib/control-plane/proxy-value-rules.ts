import { checkInjection } from '../../operator/api/injection/check-injection';
import type { Injector } from '../../operator/api/injection/injector';
import { remembered, rememberedOfBoth } from '../kubernetes/remembered';
import type { Problem } from '../problems/problem';
import { unsaid } from '../problems/unsaid';
import type { PinnedChart } from '../releases/pinned-chart';
import type { Release } from '../releases/release';
import { releaseInjector } from '../releases/release-injector';
import type { Values } from '../releases/values';
import { checkValues } from '../schema/schema';

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
