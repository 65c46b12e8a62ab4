import { deepFreeze } from '../../kubernetes/plain-data';
import type { GroupKindName, PinnedChart } from './pinned-chart';

/** The charts of one release. */
export interface LinkerdCharts {
  readonly crds: PinnedChart;
  readonly cni: PinnedChart;
  readonly controlPlane: PinnedChart;
  readonly viz: PinnedChart;
  /** Absent where the release has tracing built in. */
  readonly jaeger?: PinnedChart;
  /** Absent where the chart has no service mirrors. */
  readonly multicluster?: PinnedChart;
}

/** The place and the versions of a release's charts. */
interface ChartVersions {
  /** URL of their repository. */
  readonly repository: string;
  readonly crds: string;
  readonly cni: string;
  readonly controlPlane: string;
  readonly viz: string;
  /** Absent where the release has tracing built in. */
  readonly jaeger?: string;
  /** Absent where the chart has no service mirrors. */
  readonly multicluster?: string;
}

/** The charts of the last stable release: https://linkerd.io/2.14/reference/helm-chart-version-matrix/. */
const STABLE_2_14_10: ChartVersions = {
  repository: 'https://helm.linkerd.io/stable',
  crds: '1.8.0',
  cni: '30.12.2',
  controlPlane: '1.16.11',
  viz: '30.12.11',
  jaeger: '30.12.11',
};

/** Returns the versions of a release's charts: all of edge-YY.M.N have version 20YY.M.N. */
function chartVersions(release: string): ChartVersions {
  if (!release.startsWith('edge-')) return STABLE_2_14_10;
  const chart = release.replace(/^edge-/, '20');
  return {
    repository: 'https://helm.linkerd.io/edge',
    crds: chart,
    cni: chart,
    controlPlane: chart,
    viz: chart,
    multicluster: chart,
  };
}

/** A part of Linkerd with a chart of its own. */
export type LinkerdPart = keyof LinkerdCharts;

/** The name of each part's chart. */
export const CHART_OF_PART: Readonly<Record<LinkerdPart, string>> = {
  crds: 'linkerd-crds',
  cni: 'linkerd2-cni',
  controlPlane: 'linkerd-control-plane',
  viz: 'linkerd-viz',
  jaeger: 'linkerd-jaeger',
  multicluster: 'linkerd-multicluster',
};

/** The parts, in the order in which they are upgraded. */
export const LINKERD_PARTS = Object.keys(CHART_OF_PART) as readonly LinkerdPart[];

/** The part of which a chart is; undefined for charts of others. */
export function partOfChart(name: string): LinkerdPart | undefined {
  return LINKERD_PARTS.find((part) => CHART_OF_PART[part] === name);
}

/** The one release whose charts have versions of their own. */
const STABLE = 'stable-2.14.10';

/** The release that a chart belongs to; undefined for charts of others, and for releases whose name does not follow. */
export function releaseOfChart({
  name,
  version,
}: {
  readonly name: string;
  readonly version: string;
}): string | undefined {
  const part = partOfChart(name);
  if (part === undefined) return undefined;
  const [, edge] = /^20(\d\d\.\d+\.\d+)$/.exec(version) ?? [];
  if (edge !== undefined) return `edge-${edge}`;
  return chartVersions(STABLE)[part] === version ? STABLE : undefined;
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

/**
 * The kinds of objects that charts of all releases render under every combination of values that the constructs let
 * through: certificates come from cert-manager, so no Secret but that of multicluster, which Kubernetes fills with a
 * token; PodSecurityPolicy is gone from Kubernetes.
 */
const CHART_KINDS: Readonly<Record<keyof LinkerdCharts, readonly GroupKindName[]>> = {
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

/** The releases whose values are those of a release's charts, by chart. */
type ChartValuesOf = { readonly [C in keyof Required<LinkerdCharts>]: string | undefined };

/** Viz binds its tap server to a Role in kube-system that tells whom the API server aggregates for. */
const VIZ_NAMESPACES = ['kube-system'];

/** The charts of a release, pinned. */
export function pinnedCharts(release: string, valuesOf: ChartValuesOf): LinkerdCharts {
  const { repository, crds, cni, controlPlane, viz, jaeger, multicluster } = chartVersions(release);
  const pinned = (chart: LinkerdPart, version: string): PinnedChart => ({
    name: CHART_OF_PART[chart],
    version,
    repository,
    valuesOf: valuesOf[chart],
    linkerdVersion: release,
    kinds: CHART_KINDS[chart],
    foreignNamespaces: chart === 'viz' ? VIZ_NAMESPACES : [],
  });
  // All clusters have these, and users find them at releases.
  return deepFreeze({
    crds: pinned('crds', crds),
    cni: pinned('cni', cni),
    controlPlane: pinned('controlPlane', controlPlane),
    viz: pinned('viz', viz),
    ...(jaeger === undefined ? {} : { jaeger: pinned('jaeger', jaeger) }),
    ...(multicluster === undefined ? {} : { multicluster: pinned('multicluster', multicluster) }),
  });
}
