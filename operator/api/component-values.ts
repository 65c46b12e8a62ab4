import { valueAt } from './value-at';
import type { Values } from './values-merge';

/**
 * Values of the control plane's chart, by dotted path, that only manifests of its own components are made of: neither
 * the injector's templates for proxies, init containers and network validators read them, nor the injector itself.
 *
 * Source: edge-26.8.3's chart, whose components get their proxies from the templates that the injector has, and
 * linkerd2, pkg/inject. Left out is what changes no manifest of a component, or may be meant for all pods:
 * `podAnnotations`, `podLabels`, `commonLabels`, `imagePullSecrets`.
 */
export const COMPONENT_VALUES = [
  'configReaders',
  'controller',
  'controllerGID',
  'controllerImage',
  'controllerImageVersion',
  'controllerLogFormat',
  'controllerLogLevel',
  'controllerReplicas',
  'controllerUID',
  'deploymentStrategy',
  'destinationController',
  'destinationProxyResources',
  'destinationResources',
  'disableHeartBeat',
  'egress',
  'enableEndpointSlices',
  'enableH2Upgrade',
  'enablePodAntiAffinity',
  'enablePodDisruptionBudget',
  'enablePprof',
  'heartbeat',
  'heartbeatResources',
  'heartbeatSchedule',
  'identity.additionalEnv',
  'identity.experimentalEnv',
  'identity.issuer',
  'identity.kubeAPI',
  'identity.livenessProbe',
  'identity.podAnnotations',
  'identity.readinessProbe',
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
  'revisionHistoryLimit',
  'runtimeClassName',
  'spValidator',
  'spValidatorResources',
  'tolerations',
  'webhookFailurePolicy',
] as const;

/** Returns those of {@link COMPONENT_VALUES} that are set. */
export function componentValuesIn(values: Values): readonly string[] {
  return COMPONENT_VALUES.filter((path) => valueAt(values, path) !== undefined);
}
