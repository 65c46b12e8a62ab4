import type { ApiObject, JsonPatch } from 'cdk8s';
import { Construct } from 'constructs';
import { MEMBER_CONFIG_MAP } from '#anchor/trust-anchor';
import { mergeValues, type Values } from '#base/values';
import { BOOLEAN, FREE, keysOf, part, required } from '#kubernetes/options/known-keys';
import type { Chart } from '#linkerd/charts/chart';
import { defaultsOf } from '#linkerd/releases/chart-defaults';
import type { MulticlusterValues } from '#linkerd/releases/chart-values';
import type { LinkerdVersion } from '#linkerd/releases/known-releases';
import type { Release } from '#linkerd/releases/release';
import { MULTICLUSTER_NAMESPACE, multiclusterChart } from '#linkerd/renderers/linkerd-multicluster/chart';
import { remoteAccounts } from '#linkerd/renderers/linkerd-multicluster/named-values';
import { account, role, roleBinding } from '#linkerd/renderers/metadata/rbac';
import { REPORT_RULES } from '#operator/api/rbac/exchange';
import { policyRule } from '#operator/api/rbac/rule';
import { addChart, type ChartRelease } from '../../gitops/charts/chart-release';
import type { Delivery } from '../../gitops/charts/helm-release';
import type { Patchable } from '../../gitops/charts/object-patches';
import { plainValues } from '../../gitops/charts/plain-values';
import { addRule } from '../../gitops/tree/add-rule';
import { Cluster } from '../../gitops/tree/cluster';
import { tellOthers } from '../../gitops/tree/cluster-facts';
import { setHomeNamespace } from '../../gitops/tree/home-namespace';
import { manifest } from '../../gitops/tree/manifest';
import type { PlusResource } from '../../gitops/tree/meshable';
import { ensureNamespace } from '../../gitops/tree/namespace';
import { dependsOn } from '../../gitops/tree/order';
import { PreparedConstruct } from '../../gitops/tree/prepare';
import { propOfList, propOfMap, propsOf } from '../../gitops/tree/prop-of-shape';
import { declareReferences } from '../../gitops/tree/references';
import { CONTROL_PLANE, type LinkerdControlPlane } from '../control-plane/linkerd-control-plane';
import { extensionNamespace } from '../control-plane/namespaces';
import { bindOwnSccs, multiclusterGrants } from '../control-plane/openshift';
import { requireProxies } from '../control-plane/proxy-admission-policy';
import { anchorFacts, isShared } from '../pki/anchor-facts';
import { SERVICE_ACCOUNT, type ServiceAccountRef } from '../viz/prometheus';
import { type ExportMode, exportService } from './exported-service';
import { LEFT_ANNOTATIONS, LEFT_LABELS, MULTICLUSTER_FACTS, multiclusterFacts } from './facts';
import { GATEWAY_PROPS, type GatewayProps, gatewayValues } from './gateway';
import { linkDefinition } from './link-definition';
import { checkMulticluster, MirrorScrapePolicy } from './multicluster-rules';

/** Where the CRD of Link comes from: `install` installs it, `existing` expects it in the cluster. */
export type LinkDefinitionOrigin = 'install' | 'existing';

/** Props of Multicluster. */
export interface MulticlusterProps<V extends LinkerdVersion = LinkerdVersion> {
  /** The control plane. The extension uses its release: any edge release. */
  readonly controlPlane: LinkerdControlPlane<V>;

  /**
   * The gateway through which other clusters reach services of this one. Use `false` if pods of all clusters reach each
   * other directly, or if no cluster links to this one.
   *
   * @default - one behind a load balancer
   */
  readonly gateway?: GatewayProps | false;

  /**
   * Names of the accounts with which other clusters read the services of this one: one for each cluster, so that you
   * can revoke access for a single cluster. Use `false` for none, if no cluster links to this one.
   *
   * @default ['linkerd-service-mirror-remote-access-default']
   */
  readonly remoteAccounts?: readonly string[] | false;

  /**
   * Create the namespaces of mirrored services that do not exist in this cluster. With `false`, services of such
   * namespaces are not mirrored.
   *
   * @default false
   */
  readonly createNamespaces?: boolean;

  /**
   * Run three pods of the gateway on different nodes, with disruption budgets, as in the chart's `values-ha.yaml`.
   * Each service mirror has one pod, unless `values` sets more: while it does not run, mirrored services stay
   * unchanged.
   *
   * @default - as the control plane
   */
  readonly highAvailability?: boolean;

  /**
   * Where the CRD of Link comes from. Argo CD does not prune the CRD, because that would delete all Links. With
   * `delivery: 'helm'` the chart always installs it.
   *
   * @default 'install'
   */
  readonly crds?: LinkDefinitionOrigin;

  /**
   * The service account of a Prometheus that may read the metrics of service mirrors. The chart allows only the
   * Prometheus of Viz.
   *
   * @default - the Prometheus of Viz, if it has one
   */
  readonly scraper?: ServiceAccountRef;

  /**
   * How the objects are delivered to the cluster: as manifests, rendered at synth and equal to the official chart's, or
   * as a chart that Argo CD inflates.
   *
   * @default 'manifests'
   */
  readonly delivery?: Delivery;

  /**
   * Additional values of the linkerd-multicluster chart. They must not contradict other props or Links.
   *
   * @default - none
   */
  readonly values?: MulticlusterValues<V>;
}

type Controller = Values;

/** Mirrors of local services leave out the same keys as mirrors of other clusters. */
const LOCAL_MIRROR: Values = {
  localServiceMirror: { excludedLabels: LEFT_LABELS.join(','), excludedAnnotations: LEFT_ANNOTATIONS.join(',') },
};

/** A Prometheus that the chart allows by name, even where it does not exist. */
const VIZ_PROMETHEUS = { kind: 'ServiceAccount', namespace: 'linkerd-viz', name: 'prometheus' } as const;

/** The multi-cluster extension of a link. */
export const MULTICLUSTER = part('a Multicluster', 'controlPlane', 'addLink');

const PROPS = keysOf<MulticlusterProps<LinkerdVersion>>({
  controlPlane: required(CONTROL_PLANE),
  gateway: GATEWAY_PROPS,
  remoteAccounts: true,
  createNamespaces: BOOLEAN,
  highAvailability: BOOLEAN,
  crds: true,
  scraper: SERVICE_ACCOUNT,
  delivery: true,
  values: FREE,
});

/**
 * Linkerd's multi-cluster extension: a gateway for other clusters, accounts with which they read this cluster's
 * services, and a service mirror for each `Link` to one of them.
 *
 * @throws RangeError for 2.14, whose chart has no service mirrors
 *
 * @example
 * const multicluster = new Multicluster(east, 'multicluster', {
 *   controlPlane,
 *   gateway: { addresses: ['gateway.east.example.com'] },
 * });
 * multicluster.export(shop, { mode: 'gateway' });
 */
export class Multicluster<V extends LinkerdVersion = LinkerdVersion> extends Construct implements Patchable {
  /** Release of its control plane and of the extension. */
  readonly release: Release<V>;
  /** Namespace of all its components, and of Links. */
  readonly namespace = MULTICLUSTER_NAMESPACE;
  /** The control plane of the extension's proxies. */
  readonly controlPlane: LinkerdControlPlane<V>;
  /** Whether it has a gateway. */
  readonly hasGateway: boolean;
  private readonly chart: ChartRelease;
  private readonly definition?: ApiObject;
  private readonly controllers = new Map<string, () => Controller>();

  constructor(scope: Construct, id: string, props: MulticlusterProps<V>) {
    super(scope, id);
    const given = propsOf<MulticlusterProps<V>>(this, PROPS, props);
    const { controlPlane, scraper } = given;
    const { release } = controlPlane;
    const chart = requiredChart(release);
    const { namespace } = this;
    this.release = release;
    this.controlPlane = controlPlane;
    const gateway = this.gatewayOf(given);
    this.hasGateway = gateway !== false;
    setHomeNamespace(this, namespace);
    const metadata = extensionNamespace({ extension: 'multicluster', cni: controlPlane.cni !== undefined });
    ensureNamespace(this, namespace, metadata);
    requireProxies(this, { namespace, action: controlPlane.requireProxy, mesh: controlPlane, preset: true });

    const values = plainValues(this, given.values);
    const highAvailability = given.highAvailability ?? controlPlane.highAvailability;
    const profile = highAvailability ? defaultsOf(release).multiclusterHighAvailability : {};
    const defaults = mergeValues(LOCAL_MIRROR, profile);
    const fromProps = valuesOf(given, gateway);
    this.chart = addChart(this, 'chart', { delivery: given.delivery, chart, namespace, defaults, fromProps, values });
    if (given.delivery !== 'helm' && given.crds !== 'existing') {
      this.definition = manifest(this, 'link-definition', linkDefinition());
      dependsOn(this.chart, this.definition);
    }
    if (scraper !== undefined) new MirrorScrapePolicy(this, 'scrape', { namespace, scraper, release });
    if (controlPlane.cni?.openShift) dependsOn(this.chart, ...bindOwnSccs(this, this.grants()));
    const ofItsOwn = mergeValues(mergeValues(mergeValues(chart.defaults, defaults), values), fromProps);
    new PreparedConstruct(this, 'report', (report) => {
      const { pki } = controlPlane;
      if (isShared(anchorFacts(pki))) addReportRole(report, pki.certManager.namespace, this.accounts(ofItsOwn));
    });
    declareReferences(this, { external: [VIZ_PROMETHEUS] });
    // The injector must run before the pods that it meshes.
    dependsOn(this, controlPlane);

    const cluster = Cluster.find(this);
    if (cluster !== undefined) {
      tellOthers(cluster, MULTICLUSTER_FACTS, () =>
        multiclusterFacts(ofItsOwn, controlPlane, gateway === false ? [] : (gateway.addresses ?? [])),
      );
    }
    addRule(this, () =>
      checkMulticluster({
        chart,
        values: mergeValues(chart.defaults, this.chart.values),
        gateway,
        crds: given.crds,
        delivery: given.delivery,
        highAvailability,
        proxyPorts: proxyPorts(controlPlane),
      }),
    );
  }

  /**
   * Exports a service to other clusters, by the labels that their service mirrors select. To export a service and also
   * make it a member of a federated service, call it twice.
   *
   * - `gateway`: as `<service>-<cluster>`, through this cluster's gateway.
   * - `remote-discovery`: as `<service>-<cluster>`, whose pods are reached directly, in a flat network.
   * - `federated`: as part of `<service>-federated`, with the pods of all clusters that have such a member; in a flat
   *   network.
   *
   * @param service of cdk8s-plus, or a plain cdk8s object
   */
  export(service: ApiObject | PlusResource, { mode }: { readonly mode: ExportMode }): void {
    exportService(service, mode, { cluster: Cluster.find(this)?.name, hasGateway: this.hasGateway });
  }

  /**
   * Patches an object of the extension's chart when it is rendered, at synth. Synth reports an object that the chart
   * does not have. Not available with `delivery: 'helm'`.
   *
   * @param kind of the object, such as `Deployment`
   * @param name of the object, such as `linkerd-gateway`, in any namespace
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
   * Adds the service mirror of a link. `find` returns its values at synth. Returns whether it is the first to `target`.
   *
   * @internal
   */
  addLink(link: Construct, target: string, find: () => Controller): boolean {
    dependsOn(link, this.definition ?? this.chart);
    if (this.controllers.has(target)) return false;
    // The first link sets the whole list, and later links only mark it as changed.
    const isFirst = this.controllers.size === 0;
    this.controllers.set(target, find);
    this.chart.addValues(
      () => (isFirst ? { controllers: [...this.controllers.values()].map((each) => each()) } : {}),
      link,
    );
    return true;
  }

  /**
   * The linked clusters. Complete at synth.
   *
   * @internal
   */
  get targets(): readonly string[] {
    return [...this.controllers.keys()];
  }

  /** Reports values that are neither lists nor maps, which JavaScript may pass. */
  private gatewayOf({ gateway }: Pick<MulticlusterProps<V>, 'gateway'>): GatewayProps | false {
    if (gateway === false) return false;
    const given = propOfMap(this, 'gateway', gateway) ?? {};
    return {
      ...given,
      addresses: propOfList(this, 'gateway.addresses', given.addresses),
      nodePorts: propOfMap(this, 'gateway.nodePorts', given.nodePorts),
    } as GatewayProps;
  }

  private accounts(values: Values): readonly ServiceAccountRef[] {
    return remoteAccounts(values).map((name) => ({ namespace: this.namespace, name }));
  }

  private grants() {
    return multiclusterGrants(this.namespace);
  }
}

function requiredChart<V extends LinkerdVersion>(release: Release<V>): Chart {
  const chart = multiclusterChart(release);
  if (chart !== undefined) return chart;
  throw new RangeError(
    `Multicluster needs an edge release, and the control plane is of ${release.version}, whose chart has no service mirrors: \`linkerd multicluster link\` installs each from a separate chart`,
  );
}

function valuesOf<V extends LinkerdVersion>(
  { controlPlane, createNamespaces, remoteAccounts }: MulticlusterProps<V>,
  gateway: GatewayProps | false,
): Values {
  return {
    linkerdNamespace: controlPlane.namespace,
    identityTrustDomain: controlPlane.trustDomain,
    // The library emits the namespace with its labels and annotations, so the job has nothing to do.
    createNamespaceMetadataJob: false,
    enableNamespaceCreation: createNamespaces,
    ...(remoteAccounts === undefined ? {} : remoteAccountValues(remoteAccounts)),
    ...gatewayValues(gateway),
  };
}

function remoteAccountValues(accounts: readonly string[] | false): Values {
  if (accounts === false) return { remoteMirrorServiceAccount: false };
  return { remoteMirrorServiceAccount: true, remoteMirrorServiceAccountName: accounts };
}

/** Complete at synth. */
function proxyPorts({ effectiveValues }: LinkerdControlPlane<LinkerdVersion>): Values {
  const { ports } = (effectiveValues.proxy ?? {}) as Values;
  return (ports ?? {}) as Values;
}

/** Lets the accounts of other clusters read this cluster's report on a shared trust anchor, but no other ConfigMap. */
function addReportRole(
  scope: Construct,
  certManagerNamespace: string,
  accounts: readonly { readonly namespace: string; readonly name: string }[],
): void {
  if (accounts.length === 0) return;
  const metadata = { name: MEMBER_CONFIG_MAP, namespace: certManagerNamespace };
  const subjects = accounts.map(({ name, namespace }) => account(name, namespace));
  manifest(scope, 'role', role(metadata, REPORT_RULES.map(policyRule)));
  manifest(scope, 'role-binding', roleBinding(metadata, ['Role', MEMBER_CONFIG_MAP], subjects));
}
