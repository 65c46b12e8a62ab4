import type { PinnedChart } from '../pinned-chart';

/** The charts of one release. */
export interface LinkerdCharts {
  readonly crds: PinnedChart;
  readonly cni: PinnedChart;
  readonly controlPlane: PinnedChart;
  readonly viz: PinnedChart;
  /** Absent where the release has tracing built in. */
  readonly jaeger?: PinnedChart;
}

/** The versions of a release's charts. */
type ChartVersions = { readonly [C in keyof LinkerdCharts]: string };

/**
 * The way in which traces leave a release's proxies: built into the proxy (OTLP), or by the webhook of an extension.
 */
type TracingKind = 'proxy' | 'jaeger-extension';

/** A setting of workloads that some releases know and others pass over without a word. */
export type WorkloadSetting =
  | 'proxy.initImage'
  | 'proxy.gid'
  | 'proxy.env'
  | 'proxy.cpuRatioLimit'
  | 'defaultInboundPolicy audit'
  | 'traceAttributes';

/** The features of a release that others do not have. */
export interface LinkerdFeatures {
  /** Tells whether the renderers of this library know the templates of its charts; else Helm inflates these. */
  readonly rendered: boolean;
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
  /** The settings of workloads that not all releases know, and this one does. */
  readonly workloadSettings: readonly WorkloadSetting[];
  /** The values that name the user of linkerd-network-validator: its fields, or one switch for all of them. */
  readonly validatorUser: 'fields' | 'switch';
  readonly gatewayApi: {
    /** The value of linkerd-crds that installs the CRDs of the Gateway API. */
    readonly installedBy: 'installGatewayAPI' | 'enableHttpRoutes';
    /** Tells whether they are installed unless that value says otherwise. */
    readonly installed: boolean;
    /** The apiVersion of HTTPRoute that clusters with this release have. */
    readonly routeVersion: 'gateway.networking.k8s.io/v1' | 'gateway.networking.k8s.io/v1beta1';
  };
  /** The newest apiVersion of Server that its CRDs serve. */
  readonly serverVersion: 'policy.linkerd.io/v1beta1' | 'policy.linkerd.io/v1beta3';
  readonly viz: {
    /** Tells whether the job that labels the namespace can be left out. */
    readonly metadataJobSwitch: boolean;
    /** Tells whether metrics-api can authenticate to Prometheus with a Secret. */
    readonly prometheusCredentials: boolean;
    /** Tells whether the chart renders invalid YAML with `metricsAPI.proxy.resources`. */
    readonly proxyResourcesBug: boolean;
  };
}

/** A Linkerd release, or several of which the charts have equal sources. */
export interface LinkerdRelease {
  /** Their names. */
  readonly versions: readonly string[];
  /** URL of their charts' repository. */
  readonly repository: string;
  /** The one of them whose values, types and schemas of values are in `imports/`. */
  readonly imported: string;
  /** The versions of the charts of one of them. */
  readonly charts: (version: string) => ChartVersions;
  readonly features: LinkerdFeatures;
}
