import type { KubernetesObject } from './kubernetes-object';

/** Cluster-scoped kinds, by API group. */
export type ClusterScopedKinds = Readonly<Record<string, readonly string[]>>;

const CLUSTER_SCOPED: ClusterScopedKinds = {
  '': ['ComponentStatus', 'Namespace', 'Node', 'PersistentVolume'],
  'admissionregistration.k8s.io': [
    'MutatingWebhookConfiguration',
    'ValidatingWebhookConfiguration',
    'ValidatingAdmissionPolicy',
    'ValidatingAdmissionPolicyBinding',
    'MutatingAdmissionPolicy',
    'MutatingAdmissionPolicyBinding',
  ],
  'apiextensions.k8s.io': ['CustomResourceDefinition'],
  'apiregistration.k8s.io': ['APIService'],
  'cert-manager.io': ['ClusterIssuer'],
  'certificates.k8s.io': ['CertificateSigningRequest', 'ClusterTrustBundle'],
  'flowcontrol.apiserver.k8s.io': ['FlowSchema', 'PriorityLevelConfiguration'],
  'gateway.networking.k8s.io': ['GatewayClass'],
  'networking.k8s.io': ['IPAddress', 'IngressClass', 'ServiceCIDR'],
  'node.k8s.io': ['RuntimeClass'],
  'rbac.authorization.k8s.io': ['ClusterRole', 'ClusterRoleBinding'],
  'resource.k8s.io': ['DeviceClass', 'ResourceSlice'],
  'scheduling.k8s.io': ['PriorityClass'],
  'security.openshift.io': ['SecurityContextConstraints'],
  'storage.k8s.io': ['CSIDriver', 'CSINode', 'StorageClass', 'VolumeAttachment', 'VolumeAttributesClass'],
  'trust-manager.io': ['ClusterBundle'],
  'trust.cert-manager.io': ['Bundle'],
};

/** Returns the group of an apiVersion; empty for the core group. */
export function apiGroup(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash === -1 ? '' : apiVersion.slice(0, slash);
}

/** Returns the identity of an object, for any version of its group. */
export function identityOf({ apiVersion, kind, metadata }: KubernetesObject): string {
  return JSON.stringify([apiGroup(apiVersion), kind, metadata.namespace ?? '', metadata.name]);
}

/**
 * Whether objects of a kind are cluster-scoped. Unknown kinds are treated as namespaced.
 *
 * @param more - cluster-scoped kinds of other groups
 */
export function isClusterScoped(
  { apiVersion, kind }: { readonly apiVersion: string; readonly kind: string },
  more: ClusterScopedKinds,
): boolean {
  const group = apiGroup(apiVersion);
  return [CLUSTER_SCOPED, more].some((kinds) => Object.hasOwn(kinds, group) && kinds[group]?.includes(kind) === true);
}
