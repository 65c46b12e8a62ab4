import { Construct } from 'constructs';
import { type Alerting, MONITORING, type Monitoring } from '#kubernetes/monitoring';
import { BOOLEAN, FREE, keysOf, keysWithout } from '#kubernetes/options/known-keys';
import type { ControlPlaneValues } from '#linkerd/releases/chart-values';
import type { LinkerdVersion } from '#linkerd/releases/known-releases';
import type { GivenRelease } from '#linkerd/releases/release';
import type { Delivery } from '../gitops/charts/helm-release';
import { addRule } from '../gitops/tree/add-rule';
import { propsOf } from '../gitops/tree/prop-of-shape';
import { propOfRelease } from './control-plane/default-release';
import { CNI_PROPS, LinkerdCni, type LinkerdCniProps } from './control-plane/linkerd-cni';
import { LinkerdControlPlane } from './control-plane/linkerd-control-plane';
import { CRDS, type ILinkerdCrds, type LinkerdCrdsOptions } from './control-plane/linkerd-crds';
import type { ProxyRequirement } from './control-plane/proxy-admission-policy';
import { MONITORING_FINDINGS } from './monitoring/findings';
import { ALERT_OPTIONS, type AlertOptions, MeshAlerts } from './monitoring/mesh-alerts';
import { MeshDashboards } from './monitoring/mesh-dashboards';
import { MULTUS_PROPS, MultusAttach, type MultusAttachProps } from './multus/multus-attach';
import { OPERATOR_NAMESPACE } from './operator/operator-names';
import { OPERATOR_PROPS, ReconcilerOperator, type ReconcilerOperatorProps } from './operator/reconciler-operator';
import { CERT_MANAGER, CertManager, type CertManagerProps, type ICertManager } from './pki/cert-manager';
import { CertManagerPKI, type CertManagerPKIProps, PKI_PROPS } from './pki/cert-manager-pki';
import { TrustBundle } from './pki/trust-bundle';
import { type ITrustManager, TRUST_MANAGER, TrustManager } from './pki/trust-manager';
import { CertRotationCronJob, type CertRotationCronJobProps, ROTATION_PROPS } from './rotation/cert-rotation-cron-job';
import { JaegerToTempo } from './tracing/jaeger-to-tempo';
import { TEMPO_PROPS, type TempoProps } from './tracing/tempo';
import { VIZ_PROPS, Viz, type VizProps } from './viz/viz';

/** Props of LinkerdMesh. Everything has a default. */
export interface LinkerdMeshProps<V extends LinkerdVersion = LinkerdVersion> {
  /**
   * Linkerd release of all parts.
   *
   * @default - that of the cluster or its ring, else 'edge-26.8.3'
   */
  readonly version?: GivenRelease<V>;

  /**
   * Run several replicas of the control plane and of Viz' tap, and start no pod without its proxy.
   *
   * @default - as in LinkerdControlPlane: true
   */
  readonly highAvailability?: boolean;

  /**
   * What to do with pods of Viz, of the operator and of Tempo that start without their proxy, as during the first sync
   * before the proxy injector runs.
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
   * @default - those of CertManagerPKI: a trust anchor for ten years, rotated by the operator, or manually without
   * one; an issuer for 48 hours
   */
  readonly pki?: Omit<CertManagerPKIProps, 'certManager' | 'alerts'>;

  /**
   * Linkerd's CRDs, or how they are installed: `{ gatewayApi: 'install' }` also installs those of the Gateway API,
   * which Linkerd needs.
   *
   * @default - Linkerd's own are installed with the mesh
   */
  readonly crds?: ILinkerdCrds | LinkerdCrdsOptions<V>;

  /**
   * The Viz extension; `false` for none.
   *
   * @default {} - with the defaults of Viz: its own Prometheus, no ingress
   */
  readonly viz?: Omit<VizProps<V>, 'controlPlane'> | false;

  /**
   * The Tempo that receives spans.
   *
   * @default - no tracing
   */
  readonly tempo?: TempoProps;

  /**
   * The operator, which rotates the trust anchor, applies LinkerdConfigs and attaches pods through Multus. `monitoring`
   * sets the PodMonitor for its metrics.
   *
   * @default - none: a mesh works without an operator. `{}` adds two pods with permission to change the whole mesh;
   * they rotate the trust anchor without manual steps
   */
  readonly operator?: Omit<ReconcilerOperatorProps<V>, 'controlPlane'>;

  /**
   * A CronJob that renews the mesh's certificates and restarts the Deployments that use them; `{}` for four times a
   * day.
   *
   * @default - none: cert-manager renews certificates in time, and the control plane reloads them while it runs, unless
   * it misses the change (linkerd2#15109)
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
   * Alerts on injector, identity, proxies, control plane, denials and operator, in addition to those on certificates.
   * `{}` creates all with their defaults. Requires `monitoring`.
   *
   * @default - none
   */
  readonly alerts?: AlertOptions;

  /**
   * Create Grafana dashboards of the mesh, its certificates and the operator, in ConfigMaps in the namespace of
   * `monitoring`, which is required.
   *
   * @default false
   */
  readonly dashboards?: boolean;

  /**
   * How the objects of Linkerd's charts, except the CRDs, are delivered to the cluster: as manifests, rendered at
   * synth, or as charts that Argo CD inflates.
   *
   * @default 'manifests'
   */
  readonly delivery?: Delivery;

  /**
   * The CNI plugin, instead of init containers.
   *
   * @default - init containers
   */
  readonly cni?: Omit<LinkerdCniProps<V>, 'version'>;

  /**
   * Attach the pods of some namespaces to the CNI plugin through Multus; requires `cni`.
   *
   * @default - Multus is not used
   */
  readonly multus?: Omit<MultusAttachProps, 'controlPlane'>;

  /**
   * The networks from which kubelets probe pods, in CIDR notation: those of the nodes, and with some CNI plugins the
   * address of each node in the network of its pods. Where policies allow only some clients, proxies refuse probes from
   * other networks, and the pods do not become ready.
   *
   * @default - all: any client may request the paths of probes
   */
  readonly nodeNetworks?: readonly string[];

  /**
   * Additional values of the linkerd-control-plane chart.
   *
   * @default - the chart's own
   */
  readonly values?: ControlPlaneValues<V>;
}

const PROPS = keysOf<LinkerdMeshProps<LinkerdVersion>>({
  version: FREE,
  highAvailability: BOOLEAN,
  requireProxy: true,
  certManager: CERT_MANAGER,
  trustManager: TRUST_MANAGER,
  pki: keysWithout(PKI_PROPS, 'certManager', 'alerts'),
  crds: CRDS,
  viz: keysWithout(VIZ_PROPS, 'controlPlane'),
  tempo: TEMPO_PROPS,
  operator: keysWithout(OPERATOR_PROPS, 'controlPlane'),
  rotation: keysWithout(ROTATION_PROPS, 'controlPlane'),
  monitoring: MONITORING,
  alerts: ALERT_OPTIONS,
  dashboards: BOOLEAN,
  delivery: true,
  cni: keysWithout(CNI_PROPS, 'version'),
  multus: keysWithout(MULTUS_PROPS, 'controlPlane'),
  nodeNetworks: true,
  values: FREE,
});

/**
 * A whole mesh: its certificates, control plane, Viz, tracing and CNI plugin, connected to each other.
 *
 * @example
 * const mesh = new LinkerdMesh(home, 'mesh', {
 *   crds: { gatewayApi: 'install' },
 *   highAvailability: true,
 *   operator: {},
 *   viz: { prometheus: Prometheus.embedded() },
 * });
 */
export class LinkerdMesh<V extends LinkerdVersion = LinkerdVersion> extends Construct {
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
    const given = propsOf<LinkerdMeshProps<V>>(this, PROPS, props);
    const version = propOfRelease(this, given.version);
    const { monitoring, tempo, multus, delivery } = given;
    this.certManager = given.certManager ?? new CertManager(this, 'cert-manager', { values: metricsOf(monitoring) });
    this.trustManager =
      given.trustManager ?? new TrustManager(this, 'trust-manager', { certManager: this.certManager });
    this.pki = new CertManagerPKI(this, 'pki', {
      ...given.pki,
      certManager: this.certManager,
      alerts: alertingOf(given),
    });
    this.trust = new TrustBundle(this, 'trust', { pki: this.pki, trustManager: this.trustManager });
    this.controlPlane = new LinkerdControlPlane<V>(this, 'control-plane', {
      version,
      pki: this.pki,
      trust: this.trust,
      crds: given.crds,
      cni: given.cni && new LinkerdCni<V>(this, 'cni', { delivery, ...given.cni, version }),
      highAvailability: given.highAvailability,
      requireProxy: given.requireProxy,
      nodeNetworks: given.nodeNetworks,
      monitoring,
      delivery,
      values: given.values,
    });
    const { controlPlane } = this;
    if (multus !== undefined) {
      const { operator } = given;
      const operatorNamespace =
        operator === undefined || operator.multus === false ? undefined : (operator.namespace ?? OPERATOR_NAMESPACE);
      new MultusAttach(this, 'multus', { operatorNamespace, ...multus, controlPlane });
    }
    if (given.viz !== false) {
      this.viz = new Viz<V>(this, 'viz', {
        delivery,
        ...given.viz,
        controlPlane,
      });
    }
    if (given.operator !== undefined) {
      this.operator = new ReconcilerOperator<V>(this, 'operator', {
        monitoring,
        ...given.operator,
        controlPlane,
      });
    }
    this.addMonitoring(given);
    if (tempo !== undefined) new JaegerToTempo<V>(this, 'tracing', { controlPlane, tempo, viz: this.viz, delivery });
    if (given.rotation !== undefined) {
      new CertRotationCronJob(this, 'rotation', { operator: this.operator, ...given.rotation, controlPlane });
    }
  }

  private addMonitoring({ monitoring, alerts, dashboards = false }: LinkerdMeshProps<V>): void {
    const { controlPlane, operator } = this;
    if (alerts === undefined && !dashboards) return;
    if (monitoring === undefined) {
      addRule(this, () => [
        MONITORING_FINDINGS.monitoringMissing({ prop: alerts === undefined ? 'dashboards' : 'alerts' }),
      ]);
      return;
    }
    const { namespace, labels } = monitoring;
    if (alerts !== undefined) new MeshAlerts(this, 'alerts', { ...alerts, namespace, labels, controlPlane, operator });
    if (dashboards) new MeshDashboards(this, 'dashboards', { namespace, controlPlane, operator });
  }
}

function alertingOf<V extends LinkerdVersion>({ monitoring, alerts }: LinkerdMeshProps<V>): Alerting | undefined {
  if (monitoring === undefined) return undefined;
  const { namespace, labels } = monitoring;
  return { namespace, labels, runbooks: alerts?.runbooks };
}

/** The alerts on certificates use the metrics of cert-manager. */
function metricsOf(monitoring: Monitoring | undefined): CertManagerProps['values'] {
  if (monitoring === undefined) return undefined;
  return { prometheus: { podmonitor: { enabled: true, labels: { ...monitoring.labels } } } };
}
