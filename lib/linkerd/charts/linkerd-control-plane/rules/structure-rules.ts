import type { Problem } from '../../../../kubernetes/findings/problem';
import { type Values, valueAt } from '../../../../kubernetes/values';
import type { ControlPlaneTemplates } from '../../../releases/groups/control-plane';
import { checkMissingMaps } from '../../rules/missing-maps';

/** Maps that the templates of all releases look into, come what may. */
const MAPS = [
  'identity',
  'identity.issuer',
  'identity.kubeAPI',
  'podMonitor',
  'policyController',
  'policyValidator',
  'profileValidator',
  'proxy',
  'proxy.image',
  'proxy.ports',
  'proxyInjector',
];

/** Maps that they look into where another value is set. */
const MAPS_WITH: readonly (readonly [path: string, ...maps: readonly string[]])[] = [
  ['cniEnabled', 'networkValidator'],
  ['destinationProxyResources', 'proxy.resources'],
  ['identityProxyResources', 'proxy.resources'],
  ['podMonitor.enabled', 'podMonitor.controller', 'podMonitor.proxy', 'podMonitor.serviceMirror'],
  ['proxyInjectorProxyResources', 'proxy.resources'],
];

const WHY = 'Every part of the control plane is configured from it: the chart fails, and nothing is rendered';

/** Reports what was removed from the values, or replaced, that no control plane can be rendered without. */
export function checkStructure(values: Values, templates: ControlPlaneTemplates): readonly Problem[] {
  const conditional = MAPS_WITH.flatMap(([path, ...maps]) => (valueAt(values, path) ? maps : []));
  const needed = new Set([...MAPS, ...conditional, ...initMaps(values, templates), ...featureMaps(values, templates)]);
  return checkMissingMaps(values, [...needed], WHY);
}

function initMaps({ cniEnabled }: Values, { initImage, initResources }: ControlPlaneTemplates): readonly string[] {
  return [
    ...(cniEnabled ? [] : ['proxyInit', 'proxyInit.xtMountPath']),
    ...(!cniEnabled && initImage === 'own' ? ['proxyInit.image'] : []),
    ...(initResources === 'own' ? ['proxyInit', 'proxyInit.resources'] : ['proxy.resources']),
  ];
}

function featureMaps(values: Values, templates: ControlPlaneTemplates): readonly string[] {
  const { componentSettings, egressAndExternalWorkloads, policyImage, proxyBounds } = templates;
  return [
    ...(componentSettings ? componentMaps(values) : []),
    ...(egressAndExternalWorkloads ? ['egress'] : []),
    ...(policyImage === 'own' ? ['policyController.image'] : []),
    ...(proxyBounds ? proxyMaps(values) : []),
  ];
}

function componentMaps({ enablePodDisruptionBudget }: Values): readonly string[] {
  return [
    'destinationController',
    'destinationController.podAnnotations',
    'identity.podAnnotations',
    'podAnnotations',
    ...(enablePodDisruptionBudget ? ['controller', 'controller.podDisruptionBudget'] : []),
  ];
}

function proxyMaps(values: Values): readonly string[] {
  return [
    'proxy.livenessProbe',
    'proxy.metrics',
    'proxy.readinessProbe',
    ...(valueAt(values, 'proxy.nativeSidecar') ? ['proxy.startupProbe'] : []),
  ];
}
