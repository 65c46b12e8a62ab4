import type { Problem } from '../../kubernetes/findings/problem';
import { type Values, valueAt } from '../../kubernetes/values';

/** A value without which a chart is not highly available. */
export interface AvailabilityNeed {
  readonly path: string;
  readonly met: (value: unknown) => boolean;
  readonly why: string;
  readonly fix: string;
}

// What is of another type, or no count of replicas, is reported as that.
const isOn = (value: unknown): boolean => value !== undefined && value !== null && value !== false;
/** Tells whether a component stays while one of its replicas restarts. */
export const areSeveral = (replicas: unknown): boolean => isOn(replicas) && replicas !== 0 && replicas !== 1;

/** The need for replicas on different nodes, in the charts of the control plane and of Viz. */
export const SPREAD: AvailabilityNeed = {
  path: 'enablePodAntiAffinity',
  met: isOn,
  why: 'All replicas may land on one node and go down with it',
  fix: 'remove enablePodAntiAffinity from values',
};

/** The need for replicas that are evicted one by one, in the same charts. */
export const EVICTED_ONE_BY_ONE: AvailabilityNeed = {
  path: 'enablePodDisruptionBudget',
  met: isOn,
  why: 'Draining nodes may evict all replicas at once',
  fix: 'remove enablePodDisruptionBudget from values',
};

// What makes the chart's values-ha.yaml highly available; resources and further replicas are a matter of size.
const CONTROL_PLANE: readonly AvailabilityNeed[] = [
  {
    path: 'controllerReplicas',
    met: areSeveral,
    why: 'With one replica, each of its restarts stops injection, discovery and the issuing of certificates',
    fix: 'set controllerReplicas to 2 or more',
  },
  SPREAD,
  EVICTED_ONE_BY_ONE,
  {
    path: 'webhookFailurePolicy',
    met: (value) => value === 'Fail',
    why: 'While no injector answers, pods start without a proxy and stay outside of the mesh',
    fix: 'remove webhookFailurePolicy from values',
  },
  {
    path: 'highAvailability',
    met: isOn,
    why: 'By this value "linkerd check" knows that it has to check for high availability',
    fix: 'remove highAvailability from values',
  },
];

/**
 * Reports where the values of a highly available control plane, or of what goes with it, take high availability back.
 */
export function checkHighAvailability(values: Values, needs = CONTROL_PLANE): readonly Problem[] {
  return needs
    .filter(({ path, met }) => !met(valueAt(values, path)))
    .map(({ path, why, fix }) => ({
      code: 'high-availability-undone',
      about: `values.${path}`,
      what: `highAvailability is true, but values.${path} is ${JSON.stringify(valueAt(values, path))}`,
      why,
      fix: `${fix}, or drop the prop highAvailability`,
    }));
}
