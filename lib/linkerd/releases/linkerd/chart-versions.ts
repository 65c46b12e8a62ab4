/** The place and the versions of a release's charts. */
export interface ChartVersions {
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
export function chartVersions(release: string): ChartVersions {
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
