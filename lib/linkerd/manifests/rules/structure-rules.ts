import type { Values } from '../../../helm/values';
import type { Problem } from '../../../validation/problem';
import { missingMapProblems } from './missing-maps';

/** Maps that the chart's templates look into, come what may. */
const MAPS = [
  'destinationController',
  'destinationController.podAnnotations',
  'egress',
  'identity',
  'identity.issuer',
  'identity.kubeAPI',
  'identity.podAnnotations',
  'podAnnotations',
  'podMonitor',
  'policyController',
  'policyValidator',
  'profileValidator',
  'proxy',
  'proxy.image',
  'proxy.livenessProbe',
  'proxy.ports',
  'proxy.readinessProbe',
  'proxyInjector',
];

const WHY = 'Every part of the control plane is configured from it: the chart fails, and nothing is rendered';

/** What was removed from the values, or replaced, that no control plane can be rendered without. */
export function structureProblems(values: Values): readonly Problem[] {
  return missingMapProblems(values, MAPS, WHY);
}
