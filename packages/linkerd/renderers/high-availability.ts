import type { Problem } from '#base/findings/problem';
import { type Values, valueAt } from '#base/values';
import { LINKERD_CHART_FINDINGS } from './findings';

type Details = Pick<Problem, 'about'>;

/** A value that a chart needs for high availability. */
export interface AvailabilityNeed {
  readonly path: string;
  readonly met: (value: unknown) => boolean;
  readonly finding: (parameters: { readonly path: string; readonly value: string }, details: Details) => Problem;
}

// Other rules report values of a wrong type and invalid numbers of replicas.
const isOn = (value: unknown): boolean => value !== undefined && value !== null && value !== false;
/** Whether a component stays available while one of its replicas restarts. */
export const areSeveral = (replicas: unknown): boolean => isOn(replicas) && replicas !== 0 && replicas !== 1;

/** Requires replicas on different nodes, in the charts of the control plane and of Viz. */
export const SPREAD: AvailabilityNeed = {
  path: 'enablePodAntiAffinity',
  met: isOn,
  finding: LINKERD_CHART_FINDINGS.highAvailabilityOverriddenSpread,
};

/** Requires replicas that are evicted one by one, in the charts of the control plane and of Viz. */
export const EVICTED_ONE_BY_ONE: AvailabilityNeed = {
  path: 'enablePodDisruptionBudget',
  met: isOn,
  finding: LINKERD_CHART_FINDINGS.highAvailabilityOverriddenDisruptionBudget,
};

// The settings of the chart's values-ha.yaml for high availability, without its resources and additional replicas,
// which concern size.
/** The values that the chart of the control plane needs. */
export const CONTROL_PLANE_NEEDS: readonly AvailabilityNeed[] = [
  { path: 'controllerReplicas', met: areSeveral, finding: LINKERD_CHART_FINDINGS.highAvailabilityOverriddenReplicas },
  SPREAD,
  EVICTED_ONE_BY_ONE,
  {
    path: 'webhookFailurePolicy',
    met: (value) => value === 'Fail',
    finding: LINKERD_CHART_FINDINGS.highAvailabilityOverriddenFailurePolicy,
  },
  { path: 'highAvailability', met: isOn, finding: LINKERD_CHART_FINDINGS.highAvailabilityOverriddenCheck },
];

/** Reports values that disable parts of the high availability of a control plane or an extension. */
export function checkHighAvailability(values: Values, needs = CONTROL_PLANE_NEEDS): readonly Problem[] {
  return needs
    .filter(({ path, met }) => !met(valueAt(values, path)))
    .map(({ path, finding }) => {
      const value = String(JSON.stringify(valueAt(values, path)));
      return finding({ path, value }, { about: `values.${path}` });
    });
}
