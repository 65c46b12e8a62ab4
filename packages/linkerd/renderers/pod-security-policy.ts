import type { Problem } from '#base/findings/problem';
import type { Values } from '#base/values';
import { LINKERD_CHART_FINDINGS } from './findings';

/** Refuses values with which a chart would create a PodSecurityPolicy. */
export function checkPodSecurityPolicy(values: Values): readonly Problem[] {
  if (values.enablePSP !== true) return [];
  return [LINKERD_CHART_FINDINGS.chartValueRefusedPodSecurityPolicy({}, { about: 'values.enablePSP' })];
}
