import type { Problem } from '../../kubernetes/findings/problem';
import type { Values } from '../../kubernetes/values';
import { defaultsOf } from '../../linkerd/releases/chart-defaults';
import type { Release } from '../../linkerd/releases/release';
import {
  type AvailabilityNeed,
  areSeveral,
  checkHighAvailability,
  EVICTED_ONE_BY_ONE,
  SPREAD,
} from '../control-plane/high-availability';

const TAP: AvailabilityNeed = {
  path: 'tap.replicas',
  met: areSeveral,
  reason: 'tap serves an API of the API server: with one replica, each restart makes that API unavailable',
  remedy: 'set tap.replicas to 2 or more',
};

/** Reports where the values of a highly available Viz take back what its release has of high availability. */
export function checkVizAvailability(values: Values, release: Release): readonly Problem[] {
  const budget = 'enablePodDisruptionBudget' in defaultsOf(release).vizHighAvailability;
  return checkHighAvailability(values, [TAP, SPREAD, ...(budget ? [EVICTED_ONE_BY_ONE] : [])]);
}
