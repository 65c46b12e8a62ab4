import { deepFreeze } from '#kubernetes/objects/plain-data';
import type { GroupKindName, PinnedChart } from '../charts/pinned-chart';
import { INTERMEDIATE_RELEASES, intermediateRelease } from './intermediate-releases';

/** The charts of one release. */
export interface LinkerdCharts {
  readonly crds: PinnedChart;
  readonly cni: PinnedChart;
  readonly controlPlane: PinnedChart;
  readonly viz: PinnedChart;
  /** Absent if the release has built-in tracing. */
  readonly jaeger?: PinnedChart;
  /** Absent if the chart has no service mirrors. */
  readonly multicluster?: PinnedChart;
}

/** The repository and the versions of a release's charts. */
export interface ChartVersions {
  /** URL of their repository. */
  readonly repository: string;
  readonly crds: string;
  readonly cni: string;
  readonly controlPlane: string;
  readonly viz: string;
  /** Absent if the release has built-in tracing. */
  readonly jaeger?: string;
  /** Absent if the chart has no service mirrors. */
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

const EDGE_REPOSITORY = 'https://helm.linkerd.io/edge';

/** Returns the versions of a release's charts: since edge-24.3.1, all charts of edge-YY.M.N have version 20YY.M.N. */
export function chartVersions(release: string): ChartVersions {
  if (!release.startsWith('edge-')) return STABLE_2_14_10;
  const step = intermediateRelease(release);
  if (step !== undefined) return { repository: EDGE_REPOSITORY, ...step.charts };
  const chart = release.replace(/^edge-/, '20');
  return {
    repository: EDGE_REPOSITORY,
    crds: chart,
    cni: chart,
    controlPlane: chart,
    viz: chart,
    multicluster: chart,
  };
}

/** A part of Linkerd with its own chart. */
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

/** The parts, in the order of an upgrade. */
export const LINKERD_PARTS = Object.keys(CHART_OF_PART) as readonly LinkerdPart[];

/** Returns the part of a chart; undefined for third-party charts. */
export function partOfChart(name: string): LinkerdPart | undefined {
  return LINKERD_PARTS.find((part) => CHART_OF_PART[part] === name);
}

/** The only release with its own renderer whose charts have different versions. */
const STABLE = 'stable-2.14.10';

/**
 * Returns the release that a chart names, or that its version determines; undefined for third-party charts, and for
 * versions that determine none.
 */
export function releaseOfChart({
  name,
  version,
  linkerdVersion,
}: Pick<PinnedChart, 'name' | 'version' | 'linkerdVersion'>): string | undefined {
  const part = partOfChart(name);
  if (part === undefined) return undefined;
  if (linkerdVersion !== undefined) return linkerdVersion;
  const [, edge] = /^20(\d\d\.\d+\.\d+)$/.exec(version) ?? [];
  if (edge !== undefined) return `edge-${edge}`;
  if (chartVersions(STABLE)[part] === version) return STABLE;
  return INTERMEDIATE_RELEASES.find(({ charts }) => charts[part] === version)?.version;
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
 * The kinds of objects that charts of all releases render for any values that the constructs accept: certificates come
 * from cert-manager, so there are no Secrets except that of multicluster, which Kubernetes fills with a token;
 * Kubernetes no longer has PodSecurityPolicy.
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

type ChartValuesOf = { readonly [C in keyof Required<LinkerdCharts>]: string | undefined };

/** Viz binds its tap server to a Role in kube-system with the API server's aggregation settings. */
const VIZ_NAMESPACES = ['kube-system'];

/** Returns the pinned charts of a release. */
export function pinnedCharts(
  release: string,
  valuesOf: ChartValuesOf,
  { repository, crds, cni, controlPlane, viz, jaeger, multicluster } = chartVersions(release),
): LinkerdCharts {
  const pinned = (chart: LinkerdPart, version: string): PinnedChart => ({
    name: CHART_OF_PART[chart],
    version,
    repository,
    valuesOf: valuesOf[chart],
    linkerdVersion: release,
    kinds: CHART_KINDS[chart],
    foreignNamespaces: chart === 'viz' ? VIZ_NAMESPACES : [],
  });
  // Frozen, because all clusters share the charts, and users can read them through releases.
  return deepFreeze({
    crds: pinned('crds', crds),
    cni: pinned('cni', cni),
    controlPlane: pinned('controlPlane', controlPlane),
    viz: pinned('viz', viz),
    ...(jaeger === undefined ? {} : { jaeger: pinned('jaeger', jaeger) }),
    ...(multicluster === undefined ? {} : { multicluster: pinned('multicluster', multicluster) }),
  });
}
