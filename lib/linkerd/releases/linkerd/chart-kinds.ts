import type { GroupKindName } from '../pinned-chart';
import type { LinkerdCharts } from './linkerd-charts';

const RBAC: readonly GroupKindName[] = [
  'rbac.authorization.k8s.io/ClusterRole',
  'rbac.authorization.k8s.io/ClusterRoleBinding',
  'rbac.authorization.k8s.io/Role',
  'rbac.authorization.k8s.io/RoleBinding',
];
const POLICY: readonly GroupKindName[] = [
  'policy.linkerd.io/AuthorizationPolicy',
  'policy.linkerd.io/MeshTLSAuthentication',
  'policy.linkerd.io/NetworkAuthentication',
  'policy.linkerd.io/Server',
];

/**
 * The kinds of objects that charts of all releases render under every combination of values that the constructs let
 * through: certificates come from cert-manager, so no Secret but that of multicluster, which Kubernetes fills with a
 * token; PodSecurityPolicy is gone from Kubernetes.
 */
export const CHART_KINDS: Readonly<Record<keyof LinkerdCharts, readonly GroupKindName[]>> = {
  crds: ['apiextensions.k8s.io/CustomResourceDefinition'],
  cni: [
    '/ConfigMap',
    '/ServiceAccount',
    'apps/DaemonSet',
    'rbac.authorization.k8s.io/ClusterRole',
    'rbac.authorization.k8s.io/ClusterRoleBinding',
  ],
  controlPlane: [
    '/ConfigMap',
    '/Service',
    '/ServiceAccount',
    'admissionregistration.k8s.io/MutatingWebhookConfiguration',
    'admissionregistration.k8s.io/ValidatingWebhookConfiguration',
    'apps/Deployment',
    'batch/CronJob',
    'monitoring.coreos.com/PodMonitor',
    'policy/PodDisruptionBudget',
    ...RBAC,
  ],
  viz: [
    '/ConfigMap',
    '/PersistentVolumeClaim',
    '/Service',
    '/ServiceAccount',
    'admissionregistration.k8s.io/MutatingWebhookConfiguration',
    'apiregistration.k8s.io/APIService',
    'apps/Deployment',
    'batch/Job',
    'linkerd.io/ServiceProfile',
    'policy/PodDisruptionBudget',
    ...POLICY,
    ...RBAC,
  ],
  multicluster: [
    '/Secret',
    '/Service',
    '/ServiceAccount',
    'apiextensions.k8s.io/CustomResourceDefinition',
    'apps/Deployment',
    'batch/Job',
    'policy/PodDisruptionBudget',
    ...POLICY,
    ...RBAC,
  ],
  jaeger: [
    '/ConfigMap',
    '/Service',
    '/ServiceAccount',
    'admissionregistration.k8s.io/MutatingWebhookConfiguration',
    'apps/Deployment',
    'batch/Job',
    'policy.linkerd.io/ServerAuthorization',
    ...POLICY,
    ...RBAC,
  ],
};
