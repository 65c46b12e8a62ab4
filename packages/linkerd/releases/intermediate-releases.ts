interface ChartVersions {
  readonly crds: string;
  readonly cni: string;
  readonly controlPlane: string;
  readonly viz: string;
  readonly jaeger: string;
  readonly multicluster: string;
}

/** A change of a release apart from its CRDs, removed values and changed defaults. */
interface ReleaseNote {
  readonly chart: keyof ChartVersions;
  readonly note: string;
}

/**
 * A release that the library knows only as a step of an upgrade, without a renderer: it is rendered from its own
 * charts.
 */
export interface IntermediateRelease {
  readonly version: string;
  readonly charts: ChartVersions;
  /** The oldest minor version of Kubernetes that the charts allow. */
  readonly kubernetes: string;
  /** The annotations that its proxy injector reads, but not the injector of the previous minor version. */
  readonly annotations: readonly string[];
  readonly notes: readonly ReleaseNote[];
}

/** Returns equal versions for all charts, as they are since edge-24.3.1. */
function all(version: string): ChartVersions {
  return {
    crds: version,
    cni: version,
    controlPlane: version,
    viz: version,
    jaeger: version,
    multicluster: version,
  };
}

/**
 * The releases that announced 2.15 to 2.18, oldest first. Sources are the tags of linkerd2: `Chart.yaml` and
 * `values.yaml` of charts/, viz/, jaeger/ and multicluster/, and `pkg/k8s/labels.go`.
 */
export const INTERMEDIATE_RELEASES: readonly IntermediateRelease[] = [
  {
    version: 'edge-24.2.4',
    charts: {
      crds: '1.9.4-edge',
      cni: '30.13.3-edge',
      controlPlane: '1.18.10-edge',
      viz: '30.14.10-edge',
      jaeger: '30.14.10-edge',
      multicluster: '30.12.19-edge',
    },
    kubernetes: '1.22',
    annotations: ['config.alpha.linkerd.io/proxy-enable-native-sidecar'],
    notes: [
      {
        chart: 'viz',
        note: 'tapInjector.namespaceSelector excludes kube-system by default: exclude it in your own selector, too.',
      },
      { chart: 'jaeger', note: 'collector.config is a map, no longer a string: rewrite your value.' },
    ],
  },
  {
    version: 'edge-24.8.2',
    charts: all('2024.8.2'),
    kubernetes: '1.22',
    annotations: [
      'config.linkerd.io/proxy-admin-shutdown',
      'config.linkerd.io/proxy-gid',
      'config.linkerd.io/proxy-log-http-headers',
    ],
    notes: [
      {
        chart: 'controlPlane',
        note: 'disableIPv6, true by default, turns IPv6 off: give the charts of the control plane and of the CNI plugin the same value.',
      },
      {
        chart: 'controlPlane',
        note: 'The log target of the DNS resolver is hickory, no longer trust_dns: your own proxy.logLevel must use the new name.',
      },
    ],
  },
  {
    version: 'edge-24.11.8',
    charts: all('2024.11.8'),
    kubernetes: '1.22',
    annotations: [],
    notes: [
      {
        chart: 'crds',
        note: 'It also installs TCPRoute and TLSRoute of the Gateway API: set enableTcpRoutes and enableTlsRoutes to false if another installation provides them.',
      },
      {
        chart: 'controlPlane',
        note: 'EgressNetworks of the namespace egress.globalEgressNetworkNamespace, linkerd-egress by default, apply to all namespaces.',
      },
    ],
  },
  {
    version: 'edge-25.4.4',
    charts: all('2025.4.4'),
    kubernetes: '1.23',
    annotations: ['config.linkerd.io/proxy-cpu-ratio-limit', 'config.linkerd.io/proxy-metrics-hostname-labels'],
    notes: [
      {
        chart: 'controlPlane',
        note: 'proxy.runtime.workers replaces proxy.cores, which still works.',
      },
      {
        chart: 'jaeger',
        note: 'Proxies send traces over OTLP to port 4317 of the collector, no longer over OpenCensus to 55678: keep both receivers until all proxies are restarted.',
      },
      {
        chart: 'multicluster',
        note: 'The value controllers installs service mirrors: it replaces the manifests of the deprecated command linkerd multicluster link.',
      },
    ],
  },
];

/** Returns the facts about a release that is a step of an upgrade; undefined for all others. */
export function intermediateRelease(version: string): IntermediateRelease | undefined {
  return INTERMEDIATE_RELEASES.find((release) => release.version === version);
}
