/** Kinds without a namespace, of the API groups that a mesh's objects come from. */
const CLUSTER_SCOPED: Readonly<Record<string, readonly string[]>> = {
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
  'config.linkerd.io': ['LinkerdConfig', 'TrustAnchor'],
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

/** The group of an apiVersion; empty for the core group. */
export function apiGroup(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash === -1 ? '' : apiVersion.slice(0, slash);
}

/** Tells whether objects of this kind have no namespace. Kinds that are not known here are taken as namespaced. */
export function isClusterScoped({ apiVersion, kind }: { readonly apiVersion: string; readonly kind: string }): boolean {
  const group = apiGroup(apiVersion);
  return Object.hasOwn(CLUSTER_SCOPED, group) && CLUSTER_SCOPED[group]?.includes(kind) === true;
}
