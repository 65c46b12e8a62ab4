import { type Values, valueAt } from '#base/values';
import { type ReleaseGroup, releaseGroup } from '#linkerd/injection/release-group';

const ALWAYS = [
  'controllerImage',
  'controllerImageVersion',
  'controllerLogFormat',
  'controllerLogLevel',
  'controllerReplicas',
  'controllerUID',
  'deploymentStrategy',
  'destinationProxyResources',
  'destinationResources',
  'disableHeartBeat',
  'enableEndpointSlices',
  'enableH2Upgrade',
  'enablePodAntiAffinity',
  'enablePodDisruptionBudget',
  'enablePprof',
  'heartbeatResources',
  'heartbeatSchedule',
  'identity.issuer',
  'identity.kubeAPI',
  'identityProxyResources',
  'identityResources',
  'nodeAffinity',
  'nodeSelector',
  'podMonitor',
  'policyController',
  'policyValidator',
  'priorityClassName',
  'profileValidator',
  'prometheusUrl',
  'proxyInjector',
  'proxyInjectorProxyResources',
  'proxyInjectorResources',
  'runtimeClassName',
  'spValidatorResources',
  'tolerations',
  'webhookFailurePolicy',
];

/** Additional values of releases that trace components with the extension linkerd-jaeger. */
const TRACING = ['controlPlaneTracing', 'controlPlaneTracingNamespace'];

const EDGE = [
  ...ALWAYS,
  'configReaders',
  'controller',
  'controllerGID',
  'destinationController',
  'egress',
  'heartbeat',
  'identity.additionalEnv',
  'identity.experimentalEnv',
  'identity.livenessProbe',
  'identity.podAnnotations',
  'identity.readinessProbe',
  'revisionHistoryLimit',
  'spValidator',
];

/**
 * Values of the control plane's chart, by dotted path, that only manifests of its own components use: neither the
 * injector's templates for proxies, init containers and network validators read them, nor the injector itself.
 *
 * Source: linkerd2, pkg/inject, and the charts of the last release of each group. Not listed: values that change no
 * manifest of a component, and values that may be intended for all pods (`podAnnotations`, `podLabels`, `commonLabels`,
 * `imagePullSecrets`).
 */
export const COMPONENT_VALUES: Readonly<Record<ReleaseGroup, readonly string[]>> = {
  'edge-26.8.3': EDGE,
  'edge-26.5.1': EDGE,
  'edge-25.11.2': EDGE,
  'edge-25.4.4': [...EDGE, ...TRACING],
  'edge-24.11.8': [...EDGE, ...TRACING],
  'edge-24.2.4': [...ALWAYS, ...TRACING, 'destinationController', 'heartbeat', 'spValidator'],
  'stable-2.14.10': [...ALWAYS, ...TRACING],
};

/** Returns {@link COMPONENT_VALUES} of a release, by the value `linkerdVersion`. */
export function componentValues(linkerdVersion: unknown): readonly string[] {
  return COMPONENT_VALUES[releaseGroup(linkerdVersion)];
}

/** Returns the {@link COMPONENT_VALUES} of a release that are set. */
export function componentValuesIn(values: Values, linkerdVersion: unknown): readonly string[] {
  return componentValues(linkerdVersion).filter((path) => valueAt(values, path) !== undefined);
}
