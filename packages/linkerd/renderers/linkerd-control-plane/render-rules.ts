import type { Problem } from '#base/findings/problem';
import { type Values, valueAt } from '#base/values';
import { checkHeaderLogs } from '../../injection/header-logs';
import { checkSidecarWait } from '../../injection/native-sidecar';
import { checkProxyInit } from '../../injection/proxy-init';
import type { ControlPlaneTemplates } from '../../releases/groups/control-plane';
import { withoutNulls } from '../chart-view';
import { LINKERD_CHART_FINDINGS } from '../findings';
import { checkImageVersions, checkMissingMaps, checkMissingTexts, checkNullLabels } from '../missing-values';
import { addedEnvironment } from '../pod/environment';
import { checkPodSecurityPolicy } from '../pod-security-policy';
import { checkPrivateKeys } from '../private-keys';
import { checkIssuerKey, checkServingCertificate } from '../serving-certificates';
import { checkTracing } from '../tracing-rules';
import { type ControlPlaneView, controlPlaneView, readValues } from './control-plane-view';
import { scrapedNamespaces } from './pod-monitors';

const WEBHOOKS = ['proxyInjector', 'profileValidator', 'policyValidator'] as const;

/** Values that templates print, or pass to functions, without checking whether they exist. */
const PRINTED = [
  'clusterDomain',
  'identityTrustAnchorsPEM',
  'proxy.enableExternalProfiles',
  'proxy.ports.admin',
  'proxy.ports.control',
  'proxy.ports.inbound',
  'proxy.ports.outbound',
];

const PRINTED_WITH_BOUNDS = ['proxy.logLevel'];

function ownImages({ policyImage }: ControlPlaneTemplates): readonly string[] {
  return [
    'controllerImageVersion',
    'proxy.image.version',
    ...(policyImage === 'own' ? ['policyController.image.version'] : []),
  ];
}

function initImages({ cniEnabled, templates }: ControlPlaneView): readonly string[] {
  return templates.initImage === 'own' && !cniEnabled ? ['proxyInit.image.version'] : [];
}

/**
 * Checks that a control plane can be rendered: reports values that the official chart refuses, and private keys that
 * would be in Git.
 *
 * @param values - all values of the chart, as for `renderControlPlane`
 */
export function checkControlPlaneRender(values: Values, templates: ControlPlaneTemplates): readonly Problem[] {
  const given = withoutNulls(values);
  const view = controlPlaneView(given, templates);
  const structure = checkStructure(given, templates);
  if (structure.length > 0) return structure;
  return [
    ...checkMissingTexts(given, [...PRINTED, ...(templates.proxyBounds ? PRINTED_WITH_BOUNDS : [])]),
    ...checkImageVersions(given, ownImages(templates), initImages(view)),
    ...checkNullLabels(values),
    ...checkTracedEnvironment(view),
    ...checkProxy(readValues(given, templates), view),
    ...checkProxyInit(view, view.templates),
    ...WEBHOOKS.flatMap((key) => checkServingCertificate(key, view[key])),
    ...checkPodMonitors(view),
    ...checkPrivateKeys(given),
    ...checkIssuerKey(view.identity.issuer.scheme),
    ...checkPodSecurityPolicy(given),
  ];
}

function checkPodMonitors({ podMonitor }: ControlPlaneView): readonly Problem[] {
  const { enabled, controller } = podMonitor;
  if (!enabled || !controller.enabled) return [];
  try {
    scrapedNamespaces(controller.namespaceSelector ?? '', 'linkerd');
    return [];
  } catch (error) {
    return [
      LINKERD_CHART_FINDINGS.chartValueRefusedNamespaceSelector(
        { value: JSON.stringify(controller.namespaceSelector ?? null), error: (error as Error).message },
        { about: 'values.podMonitor.controller.namespaceSelector' },
      ),
    ];
  }
}

function checkProxy(values: Values, { proxy, templates }: ControlPlaneView): readonly Problem[] {
  return [
    ...checkTracing(values),
    ...checkHeaderLogs(proxy),
    ...(templates.nativeSidecarRefusesWait ? checkSidecarWait(proxy) : []),
  ];
}

/** The template of the destination controller prints the tracing argument into the list of environment variables. */
function checkTracedEnvironment({ controller, destinationController }: ControlPlaneView): readonly Problem[] {
  if (!controller.tracing.enabled || addedEnvironment(destinationController).length === 0) return [];
  return [LINKERD_CHART_FINDINGS.chartValueRefusedEnvironmentWithTracing({}, { about: 'values.controller.tracing' })];
}

/** Maps that the templates of all releases always read. */
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

/** Maps that the templates read if another value is set. */
const MAPS_WITH: readonly (readonly [path: string, ...maps: readonly string[]])[] = [
  ['cniEnabled', 'networkValidator'],
  ['destinationProxyResources', 'proxy.resources'],
  ['identityProxyResources', 'proxy.resources'],
  ['podMonitor.enabled', 'podMonitor.controller', 'podMonitor.proxy', 'podMonitor.serviceMirror'],
  ['proxyInjectorProxyResources', 'proxy.resources'],
];

function checkStructure(values: Values, templates: ControlPlaneTemplates): readonly Problem[] {
  const conditional = MAPS_WITH.flatMap(([path, ...maps]) => (valueAt(values, path) ? maps : []));
  const needed = new Set([...MAPS, ...conditional, ...initMaps(values, templates), ...featureMaps(values, templates)]);
  return checkMissingMaps(values, [...needed]);
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
