import { isMap, type Values, valueAt } from '../../../helm/values';
import type { Problem } from '../../../validation/problem';

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

/** What was removed from the values, or replaced, that no control plane can be rendered without. */
export function structureProblems(values: Values): readonly Problem[] {
  return MAPS.filter((path) => !isMap(valueAt(values, path)) && isParentThere(values, path)).map((path) => ({
    what: `values.${path} is ${JSON.stringify(valueAt(values, path) ?? null)}, not a map`,
    why: 'Every part of the control plane is configured from it: the chart fails, and nothing is rendered',
    fix: `remove ${path} from values, and set single keys in it`,
  }));
}

/** A map that is missing is reported once, not again for each map in it. */
function isParentThere(values: Values, path: string): boolean {
  const end = path.lastIndexOf('.');
  return end === -1 || isMap(valueAt(values, path.slice(0, end)));
}
