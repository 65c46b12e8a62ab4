import { apiGroup } from './scope';

/** The groups that every API server serves (kubernetes/api, v1.34). */
const BUILT_IN = new Set([
  '',
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'apiregistration.k8s.io',
  'apps',
  'autoscaling',
  'batch',
  'certificates.k8s.io',
  'coordination.k8s.io',
  'discovery.k8s.io',
  'events.k8s.io',
  'flowcontrol.apiserver.k8s.io',
  'networking.k8s.io',
  'node.k8s.io',
  'policy',
  'rbac.authorization.k8s.io',
  'resource.k8s.io',
  'scheduling.k8s.io',
  'storage.k8s.io',
]);

const IMPORTED = new Set([
  'argoproj.io',
  'cert-manager.io',
  'gateway.networking.k8s.io',
  'k8s.cni.cncf.io',
  'monitoring.coreos.com',
  'security.openshift.io',
  'traefik.io',
  'trust-manager.io',
  'trust.cert-manager.io',
]);

/** Whether the API server serves a kind without a CustomResourceDefinition. */
export function isBuiltIn({ apiVersion }: { readonly apiVersion: string }): boolean {
  return BUILT_IN.has(apiGroup(apiVersion));
}

/**
 * Whether the library knows all kinds of a group, and therefore which of them are namespaced.
 *
 * @param more - groups whose kinds the caller knows
 */
export function isKnownGroup(group: string, more: ReadonlySet<string>): boolean {
  return BUILT_IN.has(group) || IMPORTED.has(group) || more.has(group);
}
