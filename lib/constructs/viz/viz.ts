import type { ApiObject, JsonPatch } from 'cdk8s';
import { Construct, type IConstruct } from 'constructs';
import type { Problem } from '#base/findings/problem';
import { fieldPath, selectFields } from '#base/select-fields';
import { type Values, valueAt } from '#base/values';
import { describeObject } from '#kubernetes/objects/kubernetes-object';
import type { Reference } from '#kubernetes/objects/references';
import { BOOLEAN, FREE, keysOf, part, required } from '#kubernetes/options/known-keys';
import { checkHttpUrl } from '#kubernetes/urls';
import { defaultsOf } from '#linkerd/releases/chart-defaults';
import type { VizValues } from '#linkerd/releases/chart-values';
import type { LinkerdVersion } from '#linkerd/releases/known-releases';
import type { Release } from '#linkerd/releases/release';
import { VIZ_NAMESPACE, vizChart } from '#linkerd/renderers/linkerd-viz/chart';
import { scrapesProxies } from '../../checks/linkerd/scrape-check';
import { addChart, type ChartRelease } from '../../gitops/charts/chart-release';
import type { Delivery } from '../../gitops/charts/helm-release';
import type { AddedValues } from '../../gitops/charts/layered-values';
import type { Patchable } from '../../gitops/charts/object-patches';
import { plainValues } from '../../gitops/charts/plain-values';
import { addRule } from '../../gitops/tree/add-rule';
import { objectsAround } from '../../gitops/tree/api-objects';
import { setHomeNamespace } from '../../gitops/tree/home-namespace';
import { ensureNamespace } from '../../gitops/tree/namespace';
import { dependsOn } from '../../gitops/tree/order';
import { propsOf } from '../../gitops/tree/prop-of-shape';
import { declareReferences } from '../../gitops/tree/references';
import { CONTROL_PLANE, type LinkerdControlPlane } from '../control-plane/linkerd-control-plane';
import { extensionNamespace } from '../control-plane/namespaces';
import { bindOwnSccs, NAMESPACE_METADATA, vizGrants } from '../control-plane/openshift';
import { requireProxies } from '../control-plane/proxy-admission-policy';
import { DASHBOARD } from './dashboard';
import { VIZ_FINDINGS } from './findings';
import { GatewayDashboard } from './gateway-dashboard';
import { GRAFANA, type Grafana } from './grafana';
import { enforcedHosts, enforcedHostWarnings } from './host-regexp';
import { checkIngressHost, type DashboardIngress, INGRESS, ingressWarnings, passesHost, upstreamHost } from './ingress';
import { NginxDashboard } from './nginx-ingress';
import { checkPrometheus, PROMETHEUS, Prometheus, type ServiceAccountRef } from './prometheus';
import { ReadersPolicy } from './readers-policy';
import { ScrapePolicy } from './scrape-policy';
import { TraefikDashboard } from './traefik-ingress';
import { checkVizAvailability, checkVizValues, vizValues } from './viz-values';

/** Props of Viz. */
export interface VizProps<V extends LinkerdVersion = LinkerdVersion> {
  /** The control plane. Viz uses its release. */
  readonly controlPlane: LinkerdControlPlane<V>;

  /**
   * The source of metrics: `Prometheus.embedded()` or `Prometheus.fromUrl({ url })`.
   *
   * @default Prometheus.embedded()
   */
  readonly prometheus?: Prometheus;

  /**
   * The target of the dashboard's Grafana links: `Grafana.fromService({ url })` or `Grafana.fromUrl({ url })`.
   *
   * @default - the dashboard has no such links
   */
  readonly grafana?: Grafana;

  /**
   * How browsers reach the dashboard: by a Gateway (`DashboardIngress.gateway({ host, gateway })`), by Traefik
   * (`DashboardIngress.traefik({ host })`), or by ingress-nginx, which is retired.
   *
   * @default - only by `linkerd viz dashboard`, which forwards a port
   */
  readonly ingress?: DashboardIngress;

  /**
   * Regular expression, in Go's syntax, of the hosts that the dashboard answers to. An expression that matches foreign
   * hosts, such as `.*`, turns off the protection against DNS rebinding and causes a warning.
   *
   * @default - the chart's hosts: localhost and the Service's names; also that of an ingress that does not rewrite it
   */
  readonly enforcedHostRegexp?: string;

  /**
   * Run three replicas of tap, with anti-affinity, disruption budgets and resources, as in the chart's
   * `values-ha.yaml`.
   *
   * @default - as the control plane
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
   * Additional values of the linkerd-viz chart. They must not contradict other props.
   *
   * @default - none
   */
  readonly values?: VizValues<V>;
}

/** A Viz that other constructs refer to. */
export const VIZ = part('a Viz', 'prometheus', 'addReader');

/** The keys of VizProps. */
export const VIZ_PROPS = keysOf<VizProps<LinkerdVersion>>({
  controlPlane: required(CONTROL_PLANE),
  prometheus: PROMETHEUS,
  grafana: GRAFANA,
  ingress: INGRESS,
  enforcedHostRegexp: true,
  highAvailability: BOOLEAN,
  delivery: true,
  values: FREE,
});

type GivenViz = Omit<VizProps, 'values' | 'prometheus'> & { readonly prometheus: Prometheus };

/**
 * Linkerd's Viz extension: metrics API, tap and dashboard.
 *
 * @example
 * const viz = new Viz(home, 'viz', {
 *   controlPlane,
 *   prometheus: Prometheus.fromUrl({ url: 'http://prometheus.monitoring.svc.cluster.local:9090' }),
 *   ingress: DashboardIngress.gateway({
 *     host: 'linkerd.example.com',
 *     gateway: { namespace: 'gateways', name: 'internal' },
 *     authentication: 'gateway',
 *   }),
 * });
 */
export class Viz<V extends LinkerdVersion = LinkerdVersion> extends Construct implements Patchable {
  /** Release of its control plane and of Viz. */
  readonly release: Release<V>;
  /** Namespace of all its components. */
  readonly namespace = VIZ_NAMESPACE;
  /** The source of its metrics. */
  readonly prometheus: Prometheus;
  /** URL of its Prometheus' API, for workloads that may query it. */
  readonly prometheusUrl: string;
  private readonly chart: ChartRelease;
  private readers?: ReadersPolicy;

  constructor(scope: Construct, id: string, props: VizProps<V>) {
    super(scope, id);
    const given = propsOf<VizProps<V>>(this, VIZ_PROPS, props);
    const { controlPlane, prometheus = Prometheus.embedded(), ingress } = given;
    const { clusterDomain, release } = controlPlane;
    this.release = release;
    const { namespace } = this;
    this.prometheus = prometheus;
    this.prometheusUrl =
      prometheus.kind === 'url' ? prometheus.url : `http://prometheus.${namespace}.svc.${clusterDomain}:9090`;
    setHomeNamespace(this, namespace);
    ensureNamespace(
      this,
      namespace,
      extensionNamespace({
        extension: 'viz',
        cni: controlPlane.cni !== undefined,
        externalPrometheus: prometheus.kind === 'url' ? prometheus.url : undefined,
      }),
    );
    requireProxies(this, { namespace, action: controlPlane.requireProxy, mesh: controlPlane, preset: true });
    this.chart = this.addRelease({ ...given, prometheus }, plainValues(this, given.values));
    if (prometheus.kind === 'url') {
      addRule(this, ({ objects }) =>
        controlPlane.isMonitored || objects.some(({ object }) => scrapesProxies(object))
          ? []
          : [VIZ_FINDINGS.meshUnscraped()],
      );
      new ScrapePolicy(this, 'scrape', { release, namespace, scraper: prometheus.scraper });
    }
    if (controlPlane.cni?.openShift) {
      const metadataJob = !release.groups.viz.templates.metadataJobSwitch;
      const grants = vizGrants(namespace, { prometheus: prometheus.kind === 'embedded', metadataJob });
      dependsOn(this.chart, ...bindOwnSccs(this, grants));
      // Kubernetes creates `default` in every namespace; the job that labels the namespace has the other account.
      const accounts = ['default', ...(metadataJob ? [NAMESPACE_METADATA] : [])];
      declareReferences(this, { external: accounts.map((name) => ({ kind: 'ServiceAccount', namespace, name })) });
    }
    for (const reader of prometheus.kind === 'embedded' ? (prometheus.readers ?? []) : []) this.addReader(reader);
    if (ingress !== undefined) this.expose(ingress, clusterDomain);
    if (prometheus.kind === 'url') this.pointHeartbeat(controlPlane, prometheus.url);
    // The injector must run before the pods that it meshes.
    dependsOn(this, controlPlane);

    const highAvailability = given.highAvailability ?? controlPlane.highAvailability;
    const dashboardHost = ingress && upstreamHost(ingress, namespace, clusterDomain);
    addRule(this, () => [
      ...checkPrometheus(prometheus),
      ...(prometheus.kind === 'embedded' && this.readers === undefined ? checkAnalyses(this, namespace) : []),
      ...(ingress === undefined ? [] : checkIngressHost(ingress)),
      ...checkVizValues(this.chart.values, release, dashboardHost),
      ...(highAvailability ? checkVizAvailability(this.chart.values, release) : []),
    ]);
    addRule(this, () => {
      const expression = valueAt(this.chart.values, 'dashboard.enforcedHostRegexp');
      return typeof expression === 'string' && expression !== ''
        ? enforcedHostWarnings('dashboard.enforcedHostRegexp', expression, ingress?.host)
        : [];
    });
  }

  /**
   * Adds values that another construct sets for Viz; the user's values must not contradict them.
   *
   * @internal
   */
  addValues(values: AddedValues, from: IConstruct): void {
    this.chart.addValues(values, from);
  }

  /**
   * Patches an object of Viz's chart when it is rendered, at synth. Synth reports an object that the chart does not
   * have. Not available with `delivery: 'helm'`.
   *
   * @param kind of the object, such as `Deployment`
   * @param name of the object, such as `metrics-api`, in any namespace
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

  /**
   * Sets the Prometheus in which the control plane's heartbeat counts requests. By default it is the one of Viz.
   */
  private pointHeartbeat(controlPlane: LinkerdControlPlane<V>, prometheusUrl: string): void {
    // The control plane would repeat the problem of an invalid URL.
    if (checkHttpUrl('prometheusUrl', prometheusUrl).length > 0) return;
    controlPlane.addValues((values) => ((values.prometheusUrl ?? '') === '' ? { prometheusUrl } : {}), this);
  }

  /**
   * Allows a meshed workload to query the Prometheus of Viz, as `Prometheus.embedded({ readers })` does. Has no effect
   * on an existing Prometheus, which has its own access rules.
   */
  addReader(reader: ServiceAccountRef): void {
    if (this.prometheus.kind === 'url') return;
    this.readers ??= new ReadersPolicy(this, 'readers', { namespace: this.namespace, readers: [] });
    this.readers.add(reader);
  }

  private addRelease(props: GivenViz, values: Values): ChartRelease {
    const { controlPlane, prometheus, grafana, ingress } = props;
    const { clusterDomain, release, pki } = controlPlane;
    const { namespace } = this;
    const tap = pki.webhookCertificate(this, 'tap-certificate', { service: 'tap', namespace });
    const tapInjector = pki.webhookCertificate(this, 'tap-injector-certificate', {
      service: 'tap-injector',
      namespace,
    });
    const service = `${DASHBOARD.service}.${namespace}.svc`;
    const chart = addChart(this, 'chart', {
      delivery: props.delivery,
      chart: vizChart(release),
      namespace,
      defaults:
        (props.highAvailability ?? controlPlane.highAvailability) ? defaultsOf(release).vizHighAvailability : {},
      fromProps: vizValues({
        release,
        linkerdNamespace: controlPlane.namespace,
        clusterDomain,
        trustDomain: controlPlane.trustDomain,
        tap,
        tapInjector,
        prometheus,
        grafana,
        enforcedHostRegexp:
          props.enforcedHostRegexp ??
          (ingress !== undefined && passesHost(ingress)
            ? enforcedHosts(ingress.host, service, clusterDomain)
            : undefined),
      }),
      values,
      requires: [tap, tapInjector].flatMap(({ certificateName, secretName }): Reference[] => [
        { kind: 'Certificate', namespace, name: certificateName },
        { kind: 'Secret', namespace, name: secretName },
      ]),
    });
    dependsOn(chart, tap, tapInjector);
    return chart;
  }

  private expose(ingress: DashboardIngress, clusterDomain: string): void {
    dependsOn(this.dashboard(ingress, clusterDomain), this.chart);
    for (const warning of ingressWarnings(ingress)) addRule(this, () => [warning]);
  }

  private dashboard(ingress: DashboardIngress, clusterDomain: string): Construct {
    const { namespace, release } = this;
    switch (ingress.kind) {
      case 'gateway':
        return new GatewayDashboard(this, 'ingress', { ingress, namespace, clusterDomain, release });
      case 'nginx':
        return new NginxDashboard(this, 'ingress', { ingress, namespace, clusterDomain });
      case 'traefik':
        return new TraefikDashboard(this, 'ingress', { ingress, namespace, clusterDomain });
    }
  }
}

const ADDRESSES = fieldPath('spec.metrics[].provider.prometheus.address');

function checkAnalyses(scope: IConstruct, namespace: string): readonly Problem[] {
  return objectsAround(scope)
    .filter(({ kind }) => kind === 'AnalysisTemplate' || kind === 'ClusterAnalysisTemplate')
    .flatMap(({ json }) => json())
    .filter((object) => selectFields(object, ADDRESSES).some(({ value }) => isPrometheusOf(namespace, value)))
    .map((object) => VIZ_FINDINGS.prometheusReaderRefused({ object: describeObject(object), namespace }));
}

function isPrometheusOf(namespace: string, address: unknown): boolean {
  if (typeof address !== 'string' || !URL.canParse(address)) return false;
  const [service, ofNamespace] = new URL(address).hostname.split('.');
  return service === 'prometheus' && ofNamespace === namespace;
}
