import type { Problem } from '../../kubernetes/findings/problem';
import { type Values, valueAt } from '../../kubernetes/values';
import { CONTROL_PLANE_FINDINGS } from './findings';

/** A value that a chart needs for high availability. */
export interface AvailabilityNeed {
  readonly path: string;
  readonly met: (value: unknown) => boolean;
  /** The consequence of not meeting it. */
  readonly reason: string;
  readonly remedy: string;
}

// A value of another type, or an invalid number of replicas, is reported as such.
const isOn = (value: unknown): boolean => value !== undefined && value !== null && value !== false;
/** Whether a component stays available while one of its replicas restarts. */
export const areSeveral = (replicas: unknown): boolean => isOn(replicas) && replicas !== 0 && replicas !== 1;

/** Requires replicas on different nodes, in the charts of the control plane and of Viz. */
export const SPREAD: AvailabilityNeed = {
  path: 'enablePodAntiAffinity',
  met: isOn,
  reason: 'All replicas may run on one node and go down with it',
  remedy: 'remove enablePodAntiAffinity from values',
};

/** Requires replicas that are evicted one by one, in the same charts. */
export const EVICTED_ONE_BY_ONE: AvailabilityNeed = {
  path: 'enablePodDisruptionBudget',
  met: isOn,
  reason: 'Draining nodes may evict all replicas at once',
  remedy: 'remove enablePodDisruptionBudget from values',
};

// The settings of the chart's values-ha.yaml for high availability; its resources and additional replicas are about
// size.
const CONTROL_PLANE: readonly AvailabilityNeed[] = [
  {
    path: 'controllerReplicas',
    met: areSeveral,
    reason: 'With one replica, each restart interrupts injection, discovery and the issuing of certificates',
    remedy: 'set controllerReplicas to 2 or more',
  },
  SPREAD,
  EVICTED_ONE_BY_ONE,
  {
    path: 'webhookFailurePolicy',
    met: (value) => value === 'Fail',
    reason: 'While no injector answers, pods start without a proxy and stay outside the mesh',
    remedy: 'remove webhookFailurePolicy from values',
  },
  {
    path: 'highAvailability',
    met: isOn,
    reason: '"linkerd check" checks high availability only if this value is set',
    remedy: 'remove highAvailability from values',
  },
];

/** Reports values that disable parts of the high availability of a control plane or an extension. */
export function checkHighAvailability(values: Values, needs = CONTROL_PLANE): readonly Problem[] {
  return needs
    .filter(({ path, met }) => !met(valueAt(values, path)))
    .map(({ path, reason, remedy }) => {
      const value = String(JSON.stringify(valueAt(values, path)));
      return CONTROL_PLANE_FINDINGS.highAvailabilityOverridden(
        { path, value, reason, remedy },
        { about: `values.${path}` },
      );
    });
}
