import { Construct } from 'constructs';
import { MultusAttach, type MultusAttachProps } from '../cni/multus-attach';
import type { Delivery } from '../helm/chart-release';
import type { ControlPlaneValues } from '../linkerd/chart-values';
import { LinkerdCni, type LinkerdCniProps } from '../linkerd/linkerd-cni';
import { LinkerdControlPlane } from '../linkerd/linkerd-control-plane';
import { DEFAULT_LINKERD_VERSION, type DefaultLinkerdVersion, type LinkerdVersion } from '../linkerd/versions';
import { CertManager, type CertManagerProps, type ICertManager } from '../pki/cert-manager';
import { CertManagerPKI, type CertManagerPKIProps } from '../pki/cert-manager-pki';
import { TrustBundle } from '../pki/trust-bundle';
import { type ITrustManager, TrustManager } from '../pki/trust-manager';
import { JaegerToTempo } from '../tracing/jaeger-to-tempo';
import type { TempoProps } from '../tracing/tempo';
import { Prometheus } from '../viz/prometheus';
import { Viz, type VizProps } from '../viz/viz';

/** How Prometheus finds what is to be monitored. */
export interface MeshMonitoring {
  /** Namespace of the PodMonitors and PrometheusRules: one that the Prometheus operator watches. It must exist. */
  readonly namespace: string;

  /**
   * Labels by which the operator's Prometheus selects them, such as `release: kube-prometheus-stack`.
   *
   * @default - none
   */
  readonly labels?: Readonly<Record<string, string>>;
}

/** A whole mesh. Everything has a default. */
export interface LinkerdMeshProps<V extends LinkerdVersion> {
  /**
   * Linkerd release of all parts.
   *
   * @default 'edge-26.8.3'
   */
  readonly version?: V;

  /**
   * Whether control plane and Viz run with several replicas, and no pod starts without the proxy that it should have.
   *
   * @default true
   */
  readonly highAvailability?: boolean;

  /**
   * The cert-manager that issues the certificates.
   *
   * @default - installed with the mesh
   */
  readonly certManager?: ICertManager;

  /**
   * The trust-manager that distributes the trust anchors.
   *
   * @default - installed with the mesh
   */
  readonly trustManager?: ITrustManager;

  /**
   * The certificates: anchors, validities, domains.
   *
   * @default - those of CertManagerPKI: an anchor for ten years, rotated by hand; an issuer for 48 hours
   */
  readonly pki?: Omit<CertManagerPKIProps, 'certManager' | 'alerts'>;

  /**
   * The CNI plugin in the place of init containers.
   *
   * @default - init containers
   */
  readonly cni?: Omit<LinkerdCniProps<V>, 'version'>;

  /**
   * Attaches the pods of some namespaces to the CNI plugin by Multus; needs `cni`.
   *
   * @default - Multus is not used
   */
  readonly multus?: Omit<MultusAttachProps, 'controlPlane'>;

  /**
   * The Viz extension; `false` for none.
   *
   * @default { prometheus: Prometheus.embedded() }
   */
  readonly viz?: Omit<VizProps<V>, 'controlPlane'> | false;

  /**
   * Where spans go.
   *
   * @default - no tracing
   */
  readonly tempo?: TempoProps;

  /**
   * PodMonitors for the mesh (and for a cert-manager that is installed with it) and alerts on its certificates, for the
   * Prometheus operator.
   *
   * @default - none
   */
  readonly monitoring?: MeshMonitoring;

  /**
   * How the objects of Linkerd's charts reach the cluster: as manifests, rendered at synth, or as charts that Argo CD
   * inflates.
   *
   * @default 'manifests' - 'helm' with 2.14
   */
  readonly delivery?: Delivery;

  /**
   * Further values of the linkerd-control-plane chart.
   *
   * @default - the chart's own
   */
  readonly values?: ControlPlaneValues<V>;
}

/** A whole mesh: its certificates, control plane, Viz, tracing and CNI plugin, wired to each other. */
export class LinkerdMesh<V extends LinkerdVersion = DefaultLinkerdVersion> extends Construct {
  readonly certManager: ICertManager;
  readonly trustManager: ITrustManager;
  readonly pki: CertManagerPKI;
  readonly trust: TrustBundle;
  readonly controlPlane: LinkerdControlPlane<V>;
  /** Absent when `viz` is `false`. */
  readonly viz?: Viz<V>;

  constructor(scope: Construct, id: string, props: LinkerdMeshProps<V> = {}) {
    super(scope, id);
    const version = (props.version ?? DEFAULT_LINKERD_VERSION) as V;
    const { monitoring, tempo, multus, delivery } = props;
    this.certManager = props.certManager ?? new CertManager(this, 'cert-manager', { values: metricsOf(monitoring) });
    this.trustManager =
      props.trustManager ?? new TrustManager(this, 'trust-manager', { certManager: this.certManager });
    this.pki = new CertManagerPKI(this, 'pki', { ...props.pki, certManager: this.certManager, alerts: monitoring });
    this.trust = new TrustBundle(this, 'trust', { pki: this.pki, trustManager: this.trustManager });
    this.controlPlane = new LinkerdControlPlane<V>(this, 'control-plane', {
      version,
      pki: this.pki,
      trust: this.trust,
      cni: props.cni && new LinkerdCni<V>(this, 'cni', { delivery, ...props.cni, version }),
      highAvailability: props.highAvailability ?? true,
      podMonitors: monitoring,
      delivery,
      values: props.values,
    });
    const { controlPlane } = this;
    if (multus !== undefined) new MultusAttach(this, 'multus', { ...multus, controlPlane });
    if (props.viz !== false) {
      this.viz = new Viz<V>(this, 'viz', {
        delivery,
        ...(props.viz ?? { prometheus: Prometheus.embedded() }),
        controlPlane,
      });
    }
    if (tempo !== undefined) new JaegerToTempo<V>(this, 'tracing', { controlPlane, tempo, viz: this.viz });
  }
}

/** The alerts on certificates are about metrics of cert-manager. */
function metricsOf(monitoring: MeshMonitoring | undefined): CertManagerProps['values'] {
  if (monitoring === undefined) return undefined;
  return { prometheus: { podmonitor: { enabled: true, labels: { ...monitoring.labels } } } };
}
