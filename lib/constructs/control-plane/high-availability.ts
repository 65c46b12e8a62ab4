import type { Problem } from '../../kubernetes/findings/problem';
import { type Values, valueAt } from '../../kubernetes/values';
import { CONTROL_PLANE_FINDINGS } from './findings';

/** A value without which a chart is not highly available. */
export interface AvailabilityNeed {
  readonly path: string;
  readonly met: (value: unknown) => boolean;
  /** The consequence where it is not met. */
  readonly reason: string;
  readonly remedy: string;
}

// What is of another type, or no count of replicas, is reported as that.
const isOn = (value: unknown): boolean => value !== undefined && value !== null && value !== false;
/** Tells whether a component stays while one of its replicas restarts. */
export const areSeveral = (replicas: unknown): boolean => isOn(replicas) && replicas !== 0 && replicas !== 1;

/** The need for replicas on different nodes, in the charts of the control plane and of Viz. */
export const SPREAD: AvailabilityNeed = {
  path: 'enablePodAntiAffinity',
  met: isOn,
  reason: 'All replicas may run on one node and go down with it',
  remedy: 'remove enablePodAntiAffinity from values',
};

/** The need for replicas that are evicted one by one, in the same charts. */
export const EVICTED_ONE_BY_ONE: AvailabilityNeed = {
  path: 'enablePodDisruptionBudget',
  met: isOn,
  reason: 'Draining nodes may evict all replicas at once',
  remedy: 'remove enablePodDisruptionBudget from values',
};

// What makes the chart's values-ha.yaml highly available; resources and further replicas are a matter of size.
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

/**
 * Reports where the values of a highly available control plane, or of what goes with it, take high availability back.
 */
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
