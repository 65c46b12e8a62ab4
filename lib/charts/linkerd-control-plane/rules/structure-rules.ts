import type { Problem } from '../../../problems/problem';
import type { ControlPlaneTemplates } from '../../../releases/linkerd/control-plane';
import { type Values, valueAt } from '../../../releases/values';
import { checkMissingMaps } from '../../rules/missing-maps';

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
  'proxy.metrics',
  'proxy.ports',
  'proxy.readinessProbe',
  'proxy.resources',
  'proxyInjector',
];

/** Maps that they look into where another value is set. */
const MAPS_WITH: readonly (readonly [path: string, ...maps: readonly string[]])[] = [
  ['cniEnabled', 'networkValidator'],
  ['enablePodDisruptionBudget', 'controller', 'controller.podDisruptionBudget'],
  ['podMonitor.enabled', 'podMonitor.controller', 'podMonitor.proxy', 'podMonitor.serviceMirror'],
  ['proxy.nativeSidecar', 'proxy.startupProbe'],
];

const WHY = 'Every part of the control plane is configured from it: the chart fails, and nothing is rendered';

/** Reports what was removed from the values, or replaced, that no control plane can be rendered without. */
export function checkStructure(values: Values, { initImage }: ControlPlaneTemplates): readonly Problem[] {
  const conditional = MAPS_WITH.flatMap(([path, ...maps]) => (valueAt(values, path) ? maps : []));
  const init = initImage === 'own' && !valueAt(values, 'cniEnabled') ? ['proxyInit.image'] : [];
  return checkMissingMaps(values, [...MAPS, ...conditional, ...init], WHY);
}
