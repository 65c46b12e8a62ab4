/**
 * The built-in kinds that a repository of platform manifests may contain. It leaves out kinds that only the cluster
 * writes (Event, Node, ComponentStatus …), requests (TokenReview, Eviction …), and versions that a newer one replaced.
 */
export const KUBERNETES_KINDS: Readonly<Record<string, readonly string[]>> = {
  v1: [
    'ConfigMap',
    'Endpoints',
    'LimitRange',
    'Namespace',
    'PersistentVolume',
    'PersistentVolumeClaim',
    'Pod',
    'PodTemplate',
    'ResourceQuota',
    'Secret',
    'Service',
    'ServiceAccount',
  ],
  'admissionregistration.k8s.io/v1': [
    'MutatingWebhookConfiguration',
    'ValidatingAdmissionPolicy',
    'ValidatingAdmissionPolicyBinding',
    'ValidatingWebhookConfiguration',
  ],
  'admissionregistration.k8s.io/v1beta1': ['MutatingAdmissionPolicy', 'MutatingAdmissionPolicyBinding'],
  'apiextensions.k8s.io/v1': ['CustomResourceDefinition'],
  'apiregistration.k8s.io/v1': ['APIService'],
  'apps/v1': ['DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet'],
  'autoscaling/v2': ['HorizontalPodAutoscaler'],
  'batch/v1': ['CronJob', 'Job'],
  'coordination.k8s.io/v1': ['Lease'],
  'discovery.k8s.io/v1': ['EndpointSlice'],
  'flowcontrol.apiserver.k8s.io/v1': ['FlowSchema', 'PriorityLevelConfiguration'],
  'networking.k8s.io/v1': ['Ingress', 'IngressClass', 'NetworkPolicy'],
  'node.k8s.io/v1': ['RuntimeClass'],
  'policy/v1': ['PodDisruptionBudget'],
  'rbac.authorization.k8s.io/v1': ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'],
  'scheduling.k8s.io/v1': ['PriorityClass'],
  'storage.k8s.io/v1': ['CSIDriver', 'StorageClass', 'VolumeAttributesClass'],
};
