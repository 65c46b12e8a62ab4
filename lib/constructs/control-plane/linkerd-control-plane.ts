import type { ApiObject, Cron, JsonPatch } from 'cdk8s';
import { Construct, type IConstruct } from 'constructs';
import { mergeValues, type Values, valueAt } from '#base/values';
import type { Reference } from '#kubernetes/objects/references';
import { BOOLEAN, DURATION, FREE, keysOf, part, required } from '#kubernetes/options/known-keys';
import { overDefaults } from '#linkerd/charts/known-values';
import { defaultsOf } from '#linkerd/releases/chart-defaults';
import type { ControlPlaneValues } from '#linkerd/releases/chart-values';
import type { LinkerdVersion } from '#linkerd/releases/known-releases';
import type { GivenRelease, Release } from '#linkerd/releases/release';
import { checkHeartbeat, heartbeatSchedule } from '#linkerd/renderers/heartbeat-schedule';
import { controlPlaneChart } from '#linkerd/renderers/linkerd-control-plane/chart';
import { addChart, type ChartRelease } from '../../gitops/charts/chart-release';
import type { Delivery } from '../../gitops/charts/helm-release';
import type { AddedValues } from '../../gitops/charts/layered-values';
import type { Patchable } from '../../gitops/charts/object-patches';
import { plainValues } from '../../gitops/charts/plain-values';
import { addRule } from '../../gitops/tree/add-rule';
import { Cluster } from '../../gitops/tree/cluster';
import { setHomeNamespace } from '../../gitops/tree/home-namespace';
import { dependsOn } from '../../gitops/tree/order';
import { propOfMap, propsOf } from '../../gitops/tree/prop-of-shape';
import { type CertManagerPKI, PKI } from '../pki/cert-manager-pki';
import { checkConstrainedMembers } from '../pki/pki-rules';
import type { TrustBundle } from '../pki/trust-bundle';
import { checkControlPlane } from './control-plane-rules';
import { CONTROL_PLANE_WEBHOOKS, checkNodeNetworks, controlPlaneValues } from './control-plane-values';
import { propOfRelease } from './default-release';
import {
  ExistingControlPlane,
  type ExistingLinkerdControlPlaneProps,
  type ILinkerdControlPlane,
} from './existing-control-plane';
import { CONTROL_PLANE_FINDINGS } from './findings';
import { CNI, type ILinkerdCni } from './linkerd-cni';
import { CRDS, type ILinkerdCrds, LinkerdCrds, type LinkerdCrdsOptions } from './linkerd-crds';
import { ensureControlPlaneNamespaces, neededNamespaces } from './namespaces';
import { bindSccs, controlPlaneGrants, validatorWithoutUser } from './openshift';
import { type ControlPlaneMonitoring, PodMonitors } from './pod-monitors';
import { checkNeededWithoutProxy, namespacesRefusing, type ProxyRequirement } from './proxy-admission-policy';

/** The control plane of an operator, installed by this library or not. */
export const ANY_CONTROL_PLANE = part('a LinkerdControlPlane', 'release', 'pki');

/** A control plane that this library installs, so that other constructs can set values of its chart. */
export const CONTROL_PLANE = part('a LinkerdControlPlane', 'release', 'pki', 'addValues');

/** Props of LinkerdControlPlane. */
export interface LinkerdControlPlaneProps<V extends LinkerdVersion = LinkerdVersion> {
  /** The source of its certificates, and of its namespace and domains. */
  readonly pki: CertManagerPKI;

  /** The source of the trust anchors for proxies. */
  readonly trust: TrustBundle;

  /**
   * Linkerd release.
   *
   * @default - that of the cluster or its ring, else 'edge-26.8.3'
   */
  readonly version?: GivenRelease<V>;

  /**
   * The CRDs of the same Linkerd release.
   *
   * @default - a LinkerdCrds next to the control plane
   */
  readonly crds?: ILinkerdCrds | LinkerdCrdsOptions<V> | undefined;

  /**
   * CNI plugin that redirects the traffic of pods, of the same release.
   *
   * @default - an init container in every meshed pod
   */
  readonly cni?: ILinkerdCni<NoInfer<V>>;

  /**
   * Run three replicas of every component, spread over nodes, and start no pod without its proxy, as in the chart's
   * `values-ha.yaml`. `values` may change replicas (2 or more) and resources.
   *
   * @default true
   */
  readonly highAvailability?: boolean;

  /**
   * How the objects are delivered to the cluster: as manifests, rendered at synth and equal to the official chart's, or
   * as a chart that Argo CD inflates.
   *
   * @default 'manifests'
   */
  readonly delivery?: Delivery;

  /**
   * PodMonitors for the Prometheus operator.
   *
   * @default - none
   */
  readonly monitoring?: ControlPlaneMonitoring;

  /**
   * What to do with pods of extensions, of the operator and of Tempo that start without their proxy, as in the first
   * sync before the proxy injector runs. With `deny` these pods do not start until the injector answers.
   * `meshing.namespace` sets it for a single namespace.
   *
   * @default 'deny'
   */
  readonly requireProxy?: ProxyRequirement | false;

  /**
   * When the control plane reports its version to versioncheck.linkerd.io; `false` for never.
   *
   * @default - once a day, at a minute derived from the cluster's name
   */
  readonly heartbeat?: Cron | false;

  /**
   * The networks from which kubelets probe pods, in CIDR notation: those of the nodes, and with some CNI plugins the
   * address of each node in the network of its pods. Where policies allow only some clients, proxies refuse probes from
   * other networks, and the pods do not become ready.
   *
   * @default - all: any client may request the paths of probes
   */
  readonly nodeNetworks?: readonly string[];

  /**
   * Additional values of the chart. They cannot change what props set.
   *
   * @default - the chart's own
   */
  readonly values?: ControlPlaneValues<V>;
}

const POD_MONITORS = 'pod-monitors';

const PROPS = keysOf<LinkerdControlPlaneProps>({
  pki: required(PKI),
  trust: required(part('a TrustBundle', 'configMapName')),
  version: FREE,
  crds: CRDS,
  cni: CNI,
  highAvailability: BOOLEAN,
  delivery: true,
  nodeNetworks: true,
  monitoring: keysOf<ControlPlaneMonitoring>({ namespace: true, labels: FREE, interval: DURATION, vizNamespace: true }),
  requireProxy: true,
  heartbeat: FREE,
  values: FREE,
});

type GivenControlPlane = Pick<LinkerdControlPlaneProps, 'trust' | 'cni' | 'heartbeat' | 'delivery' | 'nodeNetworks'>;

/**
 * Linkerd's control plane, with certificates from cert-manager and trust anchors from trust-manager.
 *
 * @example
 * const controlPlane = new LinkerdControlPlane(home, 'linkerd', {
 *   pki,
 *   trust,
 *   crds: { gatewayApi: 'install' },
 *   highAvailability: true,
 *   values: { proxy: { logFormat: 'json' } },
 * });
 */
export class LinkerdControlPlane<V extends LinkerdVersion = LinkerdVersion>
  extends Construct
  implements ILinkerdControlPlane<V>, Patchable
{
  /**
   * Returns a control plane that is already in the cluster, for a ReconcilerOperator; emits nothing.
   *
   * @example
   * const controlPlane = LinkerdControlPlane.fromExisting(home, 'linkerd', { pki, version: 'edge-26.8.3' });
   * new ReconcilerOperator(home, 'operator', { controlPlane });
   */
  static fromExisting<V extends LinkerdVersion = LinkerdVersion>(
    scope: Construct,
    id: string,
    props: ExistingLinkerdControlPlaneProps<V>,
  ): ILinkerdControlPlane<V> {
    return new ExistingControlPlane(scope, id, props);
  }

  /** The Linkerd release of the control plane. */
  readonly release: Release<V>;
  readonly namespace: string;
  readonly clusterDomain: string;
  readonly trustDomain: string;
  readonly pki: CertManagerPKI;
  readonly highAvailability: boolean;
  /** What to do with pods of extensions and the operator that start without their proxy. */
  readonly requireProxy: ProxyRequirement | false;
  /** How its chart is delivered to the cluster. */
  readonly delivery: Delivery;
  /** Whether it reports its version, by a CronJob with its own service account. */
  readonly reportsVersion: boolean;
  /** The CNI plugin that redirects traffic, if any. */
  readonly cni?: ILinkerdCni;
  private readonly chart: ChartRelease;

  constructor(scope: Construct, id: string, props: LinkerdControlPlaneProps<V>) {
    super(scope, id);
    const given = propsOf<LinkerdControlPlaneProps<V>>(this, PROPS, props);
    this.release = propOfRelease(this, given.version);
    this.pki = given.pki;
    this.namespace = given.pki.controlPlaneNamespace;
    this.clusterDomain = given.pki.clusterDomain;
    this.trustDomain = given.pki.trustDomain;
    this.highAvailability = given.highAvailability ?? true;
    this.requireProxy = given.requireProxy ?? 'deny';
    this.delivery = given.delivery ?? 'manifests';
    this.cni = given.cni;
    const values = plainValues(this, given.values);
    const crds = Construct.isConstruct(given.crds)
      ? given.crds
      : new LinkerdCrds<LinkerdVersion>(scope, `${id}-crds`, { ...given.crds, version: this.release });
    this.reportsVersion = given.heartbeat !== false && values.disableHeartBeat !== true;
    setHomeNamespace(this, this.namespace);

    ensureControlPlaneNamespaces(this, {
      namespace: this.namespace,
      cni: given.cni !== undefined,
      failsClosed: this.highAvailability || values.webhookFailurePolicy === 'Fail',
      certManagerNamespace: given.pki.certManager.namespace,
    });
    this.chart = this.addRelease(given, values);
    if (given.cni?.openShift) this.allowOnOpenShift();
    const monitoring = propOfMap(this, 'monitoring', given.monitoring);
    if (monitoring !== undefined) {
      const { release, namespace: controlPlaneNamespace } = this;
      new PodMonitors(this, POD_MONITORS, { ...monitoring, release, controlPlaneNamespace });
    }
    dependsOn(this, crds, given.pki, given.trust, given.cni);
    const { isInjectorAssumed, version, injectorLike } = this.release;
    if (isInjectorAssumed)
      addRule(this, () => [CONTROL_PLANE_FINDINGS.releaseInjectorAssumed({ version, known: injectorLike })]);

    addRule(this, () => {
      const { namespace, effectiveValues } = this;
      const needed = neededNamespaces(this, { namespace, certManagerNamespace: given.pki.certManager.namespace });
      return [
        ...checkControlPlane({
          release: this.release,
          namespace,
          highAvailability: this.highAvailability,
          monitoring: given.monitoring !== undefined,
          crds,
          cni: given.cni,
          needed,
          values: effectiveValues,
        }),
        ...checkConstrainedMembers(given.pki.trustAnchor, this.release.version),
        ...checkHeartbeat(given.heartbeat, effectiveValues),
        ...checkNodeNetworks(given.nodeNetworks),
        ...checkNeededWithoutProxy(namespacesRefusing(this), needed),
      ];
    });
  }

  /**
   * All values of the chart, including its defaults. Complete at synth.
   *
   * @internal
   */
  get effectiveValues(): Values {
    return overDefaults(defaultsOf(this.release).controlPlane, this.chart.values);
  }

  /** Whether proxies are native sidecars, unless a pod or namespace sets this itself. Complete at synth. */
  get nativeSidecars(): boolean {
    return valueAt(this.effectiveValues, 'proxy.nativeSidecar') === true;
  }

  /**
   * Whether there are PodMonitors for proxies: by `monitoring`, or by the chart. Complete at synth.
   *
   * @internal
   */
  get isMonitored(): boolean {
    const values = this.effectiveValues;
    const byChart = ['podMonitor.enabled', 'podMonitor.proxy.enabled'].every((path) => valueAt(values, path) === true);
    return byChart || this.node.tryFindChild(POD_MONITORS) !== undefined;
  }

  /**
   * Adds values that the props of an extension set; the user's values must not contradict them.
   *
   * @internal
   */
  addValues(values: AddedValues, from: IConstruct): void {
    this.chart.addValues(values, from);
  }

  /**
   * Patches an object of the control plane's chart when it is rendered, at synth. Synth reports an object that the
   * chart does not have. Not available with `delivery: 'helm'`.
   *
   * @param kind of the object, such as `Deployment`
   * @param name of the object, such as `linkerd-destination`, in any namespace
   * @param operations by RFC 6902
   */
  patch(kind: string, name: string, ...operations: readonly JsonPatch[]): void {
    this.chart.patch(kind, name, ...operations);
  }

  /**
   * Returns the rendered objects of the chart as constructs: to label them, or to add dependencies. Call it last: a
   * value that another construct sets afterwards is an error. The list is empty with `delivery: 'helm'`.
   */
  objects(): readonly ApiObject[] {
    return this.chart.objects();
  }

  private allowOnOpenShift(): void {
    this.addValues(validatorWithoutUser(this.release), this);
    dependsOn(this.chart, ...bindSccs(this, controlPlaneGrants(this.namespace, this.reportsVersion)));
  }

  private addRelease(props: GivenControlPlane, own: Values): ChartRelease {
    const { trust, cni, heartbeat, delivery } = props;
    const { pki, namespace, release } = this;
    const certificates = CONTROL_PLANE_WEBHOOKS.map((webhook) => ({
      webhook,
      certificate: pki.webhookCertificate(this, webhook.service, {
        service: webhook.service,
        deployment: webhook.deployment,
        namespace,
      }),
    }));
    const chart = addChart(this, 'chart', {
      delivery,
      chart: controlPlaneChart(release),
      namespace,
      ...(heartbeat === undefined && { clusterValues: { heartbeatSchedule: this.dailyHeartbeat().expressionString } }),
      defaults: mergeValues(this.highAvailability ? defaultsOf(release).highAvailability : {}, {
        ...(release.proxyVersion === undefined ? {} : { proxy: { image: { version: release.proxyVersion } } }),
      }),
      fromProps: controlPlaneValues({
        clusterDomain: pki.clusterDomain,
        trustDomain: pki.trustDomain,
        issuanceLifetime: pki.issuanceLifetime,
        clockSkewAllowance: pki.clockSkewAllowance,
        injectCaFrom: new Map(certificates.map(({ webhook, certificate }) => [webhook, certificate.injectCaFrom])),
        cni: cni !== undefined,
        heartbeat,
        nodeNetworks: props.nodeNetworks,
      }),
      values: own,
      requires: [
        { kind: 'Secret', namespace, name: pki.identityIssuerSecretName },
        { kind: 'ConfigMap', namespace, name: trust.configMapName },
        ...certificates.flatMap(({ certificate }): Reference[] => [
          { kind: 'Certificate', namespace, name: certificate.certificateName },
          { kind: 'Secret', namespace, name: certificate.secretName },
        ]),
      ],
    });
    dependsOn(chart, ...certificates.map(({ certificate }) => certificate));
    return chart;
  }

  private dailyHeartbeat(): Cron {
    return heartbeatSchedule(Cluster.find(this)?.name ?? this.node.path);
  }
}
