import type { Problem } from '../../../../kubernetes/findings/problem';
import { LINKERD_CHART_FINDINGS } from '../../findings';
import { addedEnvironment } from '../../pod/environment';
import type { ControlPlaneView } from '../control-plane-view';

/** The chart's template of the destination controller has the argument of its traces below its environment variables. */
export function checkTracedEnvironment({ controller, destinationController }: ControlPlaneView): readonly Problem[] {
  if (!controller.tracing.enabled || addedEnvironment(destinationController).length === 0) return [];
  return [LINKERD_CHART_FINDINGS.chartValueRefusedEnvironmentWithTracing({}, { about: 'values.controller.tracing' })];
}
