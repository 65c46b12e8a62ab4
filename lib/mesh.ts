import { Construct } from 'constructs';
import type { Delivery } from './charts/chart-release';
import { LinkerdCni, type LinkerdCniProps } from './control-plane/linkerd-cni';
import { LinkerdControlPlane } from './control-plane/linkerd-control-plane';
import type { ILinkerdCrds, LinkerdCrdsOptions } from './control-plane/linkerd-crds';
import type { ProxyRequirement } from './control-plane/proxy-requirement';
import type { Monitoring } from './kubernetes/monitoring';
import { MultusAttach, type MultusAttachProps } from './multus/multus-attach';
import { OPERATOR_NAMESPACE } from './operator/operator-names';
import { ReconcilerOperator, type ReconcilerOperatorProps } from './operator/reconciler-operator';
import { CertManager, type CertManagerProps, type ICertManager } from './pki/cert-manager';
import { CertManagerPKI, type CertManagerPKIProps } from './pki/cert-manager-pki';
import { TrustBundle } from './pki/trust-bundle';
import { type ITrustManager, TrustManager } from './pki/trust-manager';
import type { ControlPlaneValues } from './releases/chart-values';
import { type DefaultLinkerdVersion, type GivenRelease, type LinkerdVersion, releaseOf } from './releases/release';
import { CertRotationCronJob, type CertRotationCronJobProps } from './rotation/cert-rotation-cron-job';
import { JaegerToTempo } from './tracing/jaeger-to-tempo';
import type { TempoProps } from './tracing/tempo';
import { defaultRelease } from './tree/cluster';
import { Prometheus } from './viz/prometheus';
import { Viz, type VizProps } from './viz/viz';

/** The CNI plugin of a mesh, which attaching pods by Multus needs. */
export interface MeshNetwork<V extends LinkerdVersion> {
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
}

/** Props of LinkerdMesh. Everything has a default. */
export type LinkerdMeshProps<V extends LinkerdVersion> = MeshParts<V> &
  MeshNetwork<V> &
  ({ readonly multus?: undefined } | { readonly cni: Omit<LinkerdCniProps<V>, 'version'> });

/** The parts of a mesh but for its network. */
export interface MeshParts<V extends LinkerdVersion> {
  /**
   * Linkerd release of all parts.
   *
   * @default - that of the cluster or its ring, else 'edge-26.8.3'
   */
  readonly version?: GivenRelease<V>;

  /**
   * Tells whether control plane and Viz run with several replicas, and no pod starts without the proxy that it should
   * have.
   *
   * @default - as of LinkerdControlPlane: true
   */
  readonly highAvailability?: boolean;

  /**
   * The fate of pods of Viz, of the operator and of Tempo that come without the proxy that they should have, as on the
   * first day before the proxy injector runs.
   *
   * @default 'deny'
   */
  readonly requireProxy?: ProxyRequirement | false;

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
   * @default - those of CertManagerPKI: an anchor for ten years, rotated by the operator if there is one, else by hand; an
   * issuer for 48 hours
   */
  readonly pki?: Omit<CertManagerPKIProps, 'certManager' | 'alerts'>;

  /**
   * Linkerd's CRDs, or how they are installed: `{ gatewayApi: 'install' }` brings those of the Gateway API along, which
   * Linkerd needs.
   *
   * @default - Linkerd's own are installed with the mesh
   */
  readonly crds?: ILinkerdCrds | LinkerdCrdsOptions<V>;

  /**
   * The Viz extension; `false` for none.
   *
   * @default { prometheus: Prometheus.embedded() }
   */
  readonly viz?: Omit<VizProps<V>, 'controlPlane'> | false;

  /**
   * The Tempo that spans go to.
   *
   * @default - no tracing
   */
  readonly tempo?: TempoProps;

  /**
   * The operator, which rotates the trust anchor, carries out LinkerdConfigs and attaches pods by Multus. It takes its metrics' PodMonitor from
   * `monitoring`.
   *
   * @default - none: a mesh works without, and the operator is two pods that may change all of it. With it, `{}` for
   * instance, nobody has to rotate the trust anchor
   */
  readonly operator?: Omit<ReconcilerOperatorProps<V>, 'controlPlane'>;

  /**
   * A CronJob that renews the mesh's certificates and restarts what uses them; `{}` for four times a day.
   *
   * @default - none: cert-manager renews certificates in time, and the control plane takes new ones up while it runs,
   * unless it failed to notice them (linkerd2#15109)
   */
  readonly rotation?: Omit<CertRotationCronJobProps, 'controlPlane'>;

  /**
   * PodMonitors for the mesh (and for a cert-manager that is installed with it) and alerts on its certificates, for the
   * Prometheus operator.
   *
   * @default - none
   */
  readonly monitoring?: Monitoring;

  /**
   * The way in which the objects of Linkerd's charts reach the cluster: as manifests, rendered at synth, or as charts
   * that Argo CD inflates.
   *
   * @default 'manifests'
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
  /** Absent without `operator`. */
  readonly operator?: ReconcilerOperator<V>;

  constructor(scope: Construct, id: string, props: LinkerdMeshProps<V> = {}) {
    super(scope, id);
    const version = releaseOf(props.version ?? defaultRelease<V>(this));
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
      crds: props.crds,
      cni: props.cni && new LinkerdCni<V>(this, 'cni', { delivery, ...props.cni, version }),
      highAvailability: props.highAvailability,
      requireProxy: props.requireProxy,
      monitoring,
      delivery,
      values: props.values,
    });
    const { controlPlane } = this;
    if (multus !== undefined) {
      const { operator } = props;
      const operatorNamespace =
        operator === undefined || operator.multus === false ? undefined : (operator.namespace ?? OPERATOR_NAMESPACE);
      new MultusAttach(this, 'multus', { operatorNamespace, ...multus, controlPlane });
    }
    if (props.viz !== false) {
      this.viz = new Viz<V>(this, 'viz', {
        delivery,
        ...(props.viz ?? { prometheus: Prometheus.embedded() }),
        controlPlane,
      });
    }
    if (props.operator !== undefined) {
      this.operator = new ReconcilerOperator<V>(this, 'operator', {
        monitoring,
        ...props.operator,
        controlPlane,
      });
    }
    if (tempo !== undefined) new JaegerToTempo<V>(this, 'tracing', { controlPlane, tempo, viz: this.viz, delivery });
    if (props.rotation !== undefined) {
      new CertRotationCronJob(this, 'rotation', { operator: this.operator, ...props.rotation, controlPlane });
    }
  }
}

/** The alerts on certificates are about metrics of cert-manager. */
function metricsOf(monitoring: Monitoring | undefined): CertManagerProps['values'] {
  if (monitoring === undefined) return undefined;
  return { prometheus: { podmonitor: { enabled: true, labels: { ...monitoring.labels } } } };
}
