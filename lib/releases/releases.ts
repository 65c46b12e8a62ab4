import * as keys from '../kubernetes/annotations';
import type { GroupKindName, PinnedChart } from './pinned-chart';

/**
 * The way in which traces leave a release's proxies: built into the proxy (OTLP), or by the webhook of an extension.
 */
type TracingKind = 'proxy' | 'jaeger-extension';

/** The charts of one release. */
export interface LinkerdCharts {
  readonly crds: PinnedChart;
  readonly cni: PinnedChart;
  readonly controlPlane: PinnedChart;
  readonly viz: PinnedChart;
  /** Absent where the release has tracing built in. */
  readonly jaeger?: PinnedChart;
}

/** The features of a release that others do not have. */
export interface LinkerdFeatures {
  /** Tells whether proxies are native sidecars unless told otherwise. */
  readonly nativeSidecars: boolean;
  /** The annotation that decides it for a pod; absent where the release knows only ordinary sidecars. */
  readonly nativeSidecarAnnotation?: string;
  readonly tracing: TracingKind;
  /** The container ports of the control plane and of Viz that serve metrics, as regular expressions on their names. */
  readonly adminPorts: {
    readonly keep: string;
    /** Names that `keep` matches beyond them: of the proxies' port, which has a job of its own. */
    readonly drop?: string;
  };
}

/** One Linkerd release. */
export interface LinkerdRelease {
  readonly charts: LinkerdCharts;
  readonly features: LinkerdFeatures;
}

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

// What the charts render under every combination of values that the constructs let through: certificates come from
// cert-manager, so no Secret; PodSecurityPolicy is gone from Kubernetes.
const CRDS_KINDS: readonly GroupKindName[] = ['apiextensions.k8s.io/CustomResourceDefinition'];
const CNI_KINDS: readonly GroupKindName[] = [
  '/ConfigMap',
  '/ServiceAccount',
  'apps/DaemonSet',
  'rbac.authorization.k8s.io/ClusterRole',
  'rbac.authorization.k8s.io/ClusterRoleBinding',
];
const CONTROL_PLANE_KINDS: readonly GroupKindName[] = [
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
];
const VIZ_KINDS: readonly GroupKindName[] = [
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
];
const JAEGER_KINDS: readonly GroupKindName[] = [
  '/ConfigMap',
  '/Service',
  '/ServiceAccount',
  'admissionregistration.k8s.io/MutatingWebhookConfiguration',
  'apps/Deployment',
  'batch/Job',
  'policy.linkerd.io/ServerAuthorization',
  ...POLICY,
  ...RBAC,
];

/** A chart of a release channel, by the versions it has there. */
function channel(
  repository: string,
  valuesOf: string,
): (name: string, version: string, kinds: readonly GroupKindName[]) => PinnedChart {
  return (name, version, kinds) => ({ name, version, repository, valuesOf, kinds, foreignNamespaces: [] });
}

const edge = channel('https://helm.linkerd.io/edge', 'edge-26.8.3');
const stable = channel('https://helm.linkerd.io/stable', 'stable-2.14.10');

/** Viz binds its tap server to a Role in kube-system that tells whom the API server aggregates for. */
const VIZ_NAMESPACES = ['kube-system'];

/**
 * The Linkerd releases that can be installed: all that constructs know of a release stands here.
 *
 * Versions of stable charts: https://linkerd.io/2.14/reference/helm-chart-version-matrix/
 */
export const RELEASES = {
  'edge-26.8.3': {
    charts: {
      crds: edge('linkerd-crds', '2026.8.3', CRDS_KINDS),
      cni: edge('linkerd2-cni', '2026.8.3', CNI_KINDS),
      controlPlane: edge('linkerd-control-plane', '2026.8.3', CONTROL_PLANE_KINDS),
      viz: { ...edge('linkerd-viz', '2026.8.3', VIZ_KINDS), foreignNamespaces: VIZ_NAMESPACES },
    },
    features: {
      nativeSidecars: true,
      nativeSidecarAnnotation: keys.NATIVE_SIDECAR,
      tracing: 'proxy',
      // The ports have names of their own since 2.19: https://linkerd.io/2-edge/reference/controlplane-port-names/
      adminPorts: {
        keep: '.*admin$',
        drop: 'linkerd-admin',
      },
    },
  },
  'stable-2.14.10': {
    charts: {
      crds: stable('linkerd-crds', '1.8.0', CRDS_KINDS),
      cni: stable('linkerd2-cni', '30.12.2', CNI_KINDS),
      controlPlane: stable('linkerd-control-plane', '1.16.11', CONTROL_PLANE_KINDS),
      viz: { ...stable('linkerd-viz', '30.12.11', VIZ_KINDS), foreignNamespaces: VIZ_NAMESPACES },
      jaeger: stable('linkerd-jaeger', '30.12.11', JAEGER_KINDS),
    },
    features: {
      nativeSidecars: false,
      tracing: 'jaeger-extension',
      adminPorts: { keep: 'admin-http' },
    },
  },
} as const satisfies Record<string, LinkerdRelease>;
