import type { ApiObject, JsonPatch } from 'cdk8s';
import { Construct } from 'constructs';
import { addChart, type ChartRelease, type Delivery } from '../../gitops/charts/chart-release';
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
import { propOfList, propOfMap, propsOf } from '../../gitops/tree/prop-of-shape';
import { declareReferences } from '../../gitops/tree/references';
import { FREE, keysOf, part, required } from '../../kubernetes/known-keys';
import { mergeValues, type Values } from '../../kubernetes/values';
import type { Chart } from '../../linkerd/charts/chart';
import { MULTICLUSTER_NAMESPACE, multiclusterChart } from '../../linkerd/charts/linkerd-multicluster/chart';
import { defaultsOf } from '../../linkerd/releases/chart-defaults';
import type { MulticlusterValues } from '../../linkerd/releases/chart-values';
import type { LinkerdVersion, Release } from '../../linkerd/releases/release';
import { CONTROL_PLANE, type LinkerdControlPlane } from '../control-plane/linkerd-control-plane';
import { extensionNamespace } from '../control-plane/namespaces';
import { bindOwnSccs, multiclusterGrants } from '../control-plane/openshift';
import { requireProxies } from '../control-plane/proxy-admission-policy';
import { SERVICE_ACCOUNT, type ServiceAccountRef } from '../viz/prometheus';
import { type ExportMode, exportService } from './exported-service';
import { LEFT_ANNOTATIONS, LEFT_LABELS, MULTICLUSTER_FACTS, multiclusterFacts } from './facts';
import { GATEWAY_PROPS, type GatewayProps, gatewayValues } from './gateway';
import { linkDefinition } from './link-definition';
import { checkMulticluster, MirrorScrapePolicy } from './multicluster-rules';

/** The origin of the CRD of Link: `install` brings it along, `existing` says that the cluster has it. */
export type LinkDefinitionOrigin = 'install' | 'existing';

/** Props of Multicluster. */
export interface MulticlusterProps<V extends LinkerdVersion = LinkerdVersion> {
  /** The control plane; its release decides that of the extension: any edge release. */
  readonly controlPlane: LinkerdControlPlane<V>;

  /**
   * The gateway by which other clusters reach services of this one; `false` where pods of all clusters reach each other
   * directly, or where nobody links to this one.
   *
   * @default - one behind a load balancer
   */
  readonly gateway?: GatewayProps | false;

  /**
   * Names of the accounts by which other clusters read the services of this one: one for each cluster, so that one can be
   * taken away from it. `false` for none, where nobody links to this one.
   *
   * @default ['linkerd-service-mirror-remote-access-default']
   */
  readonly remoteAccounts?: readonly string[] | false;

  /**
   * Tells whether service mirrors make namespaces that a service of another cluster is in and this one has not. Without,
   * such services are not mirrored.
   *
   * @default false
   */
  readonly createNamespaces?: boolean;

  /**
   * Tells whether to run three pods of the gateway on different nodes, with disruption budgets: all that the chart's
   * `values-ha.yaml` sets. Service mirrors have one pod each unless `values` say otherwise: while none runs, services
   * stay as they are.
   *
   * @default - as the control plane
   */
  readonly highAvailability?: boolean;

  /**
   * The origin of the CRD of Link. The one that is installed here is never pruned: all Links would go with it. With
   * `delivery: 'helm'` the chart always brings it along.
   *
   * @default 'install'
   */
  readonly crds?: LinkDefinitionOrigin;

  /**
   * The service account of a Prometheus that may read the metrics of service mirrors. The chart allows that of Viz only.
   *
   * @default - the Prometheus of Viz, if it has one
   */
  readonly scraper?: ServiceAccountRef;

  /**
   * The way of the objects to the cluster: as manifests, rendered at synth and equal to the official chart's, or as a
   * chart that Argo CD inflates.
   *
   * @default 'manifests'
   */
  readonly delivery?: Delivery;

  /**
   * Further values of the linkerd-multicluster chart. They must not contradict what follows from other props and from
   * Links.
   *
   * @default - none
   */
  readonly values?: MulticlusterValues<V>;
}

/** A service mirror, as the chart takes it: the name of its link, and what it has of its own. */
type Controller = Values;

/** The mirror of this cluster's own services leaves behind what mirrors of other clusters' do. */
const LOCAL_MIRROR: Values = {
  localServiceMirror: { excludedLabels: LEFT_LABELS.join(','), excludedAnnotations: LEFT_ANNOTATIONS.join(',') },
};

/** A Prometheus that the chart lets in by name, whether it is there or not. */
const VIZ_PROMETHEUS = { kind: 'ServiceAccount', namespace: 'linkerd-viz', name: 'prometheus' } as const;

/** The multi-cluster extension, which links are made for. */
export const MULTICLUSTER = part('a Multicluster', 'controlPlane', 'addLink');

const PROPS = keysOf<MulticlusterProps<LinkerdVersion>>({
  controlPlane: required(CONTROL_PLANE),
  gateway: GATEWAY_PROPS,
  remoteAccounts: true,
  createNamespaces: true,
  highAvailability: true,
  crds: true,
  scraper: SERVICE_ACCOUNT,
  delivery: true,
  values: FREE,
});

/**
 * Linkerd's multi-cluster extension: a gateway for other clusters, accounts by which they read this one's services, and a
 * service mirror for each `Link` to one of them.
 *
 * @example
 * const multicluster = new Multicluster(east, 'multicluster', { controlPlane: linkerd });
 * new Link(east, 'to-west', { multicluster, target: west });
 *
 * @throws RangeError for 2.14, whose chart has no service mirrors
 */
export class Multicluster<V extends LinkerdVersion = LinkerdVersion> extends Construct implements Patchable {
  /** Release of its control plane, and its own. */
  readonly release: Release<V>;
  /** Namespace of all its components, and of Links. */
  readonly namespace = MULTICLUSTER_NAMESPACE;
  /** The control plane that it is of. */
  readonly controlPlane: LinkerdControlPlane<V>;
  /** Tells whether it has a gateway. */
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
    declareReferences(this, { external: [VIZ_PROMETHEUS] });
    // The injector must run before the pods that it is to mesh.
    dependsOn(this, controlPlane);

    const ofItsOwn = mergeValues(mergeValues(mergeValues(chart.defaults, defaults), values), fromProps);
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
   * Lets other clusters use a service of this one, by the labels that their service mirrors look for. A service can be
   * exported in one way and be a member of a federated service at the same time: call it twice.
   *
   * - `gateway`: as `<service>-<cluster>`, by way of this cluster's gateway.
   * - `remote-discovery`: as `<service>-<cluster>`, whose pods are reached directly, in a flat network.
   * - `federated`: as part of `<service>-federated`, whose pods are those of all clusters that have such a member; in a
   *   flat network.
   *
   * @param service of cdk8s-plus, or a plain cdk8s object
   */
  export(service: ApiObject | PlusResource, { mode }: { readonly mode: ExportMode }): void {
    exportService(service, mode, { cluster: Cluster.find(this)?.name, hasGateway: this.hasGateway });
  }

  /**
   * Changes an object of the extension's chart, whenever that is rendered: at synth. One that the chart turns out not to
   * have is reported. Not with `delivery: 'helm'`.
   *
   * @param kind of the object, such as `Deployment`
   * @param name of the object, such as `linkerd-gateway`; those of that name in all namespaces are meant
   * @param operations by RFC 6902
   */
  patch(kind: string, name: string, ...operations: readonly JsonPatch[]): void {
    this.chart.patch(kind, name, ...operations);
  }

  /**
   * Returns the objects that are rendered from the chart, as constructs: to label them, or to add dependencies. A value
   * that another construct decides afterwards is an error, so call it last. None with `delivery: 'helm'`.
   */
  objects(): readonly ApiObject[] {
    return this.chart.objects();
  }

  /**
   * Adds the service mirror of a link, which is found at synth; returns whether there is none to that cluster yet.
   *
   * @internal
   */
  addLink(link: Construct, target: string, find: () => Controller): boolean {
    dependsOn(link, this.definition ?? this.chart);
    if (this.controllers.has(target)) return false;
    // A list is decided as a whole, by the first. Each further one makes known that it has changed.
    const isFirst = this.controllers.size === 0;
    this.controllers.set(target, find);
    this.chart.addValues(
      () => (isFirst ? { controllers: [...this.controllers.values()].map((each) => each()) } : {}),
      link,
    );
    return true;
  }

  /** The gateway, without what code without types may have put into it, which is reported. */
  private gatewayOf({ gateway }: Pick<MulticlusterProps<V>, 'gateway'>): GatewayProps | false {
    if (gateway === false) return false;
    const given = propOfMap(this, 'gateway', gateway) ?? {};
    return {
      ...given,
      addresses: propOfList(this, 'gateway.addresses', given.addresses),
      nodePorts: propOfMap(this, 'gateway.nodePorts', given.nodePorts),
    } as GatewayProps;
  }

  private grants() {
    return multiclusterGrants(this.namespace);
  }
}

function requiredChart<V extends LinkerdVersion>(release: Release<V>): Chart {
  const chart = multiclusterChart(release);
  if (chart !== undefined) return chart;
  throw new RangeError(
    `Multicluster needs an edge release, and the control plane is of ${release.version}, whose chart has no service mirrors: \`linkerd multicluster link\` installs each from a chart of its own`,
  );
}

/** The values that follow from props. */
function valuesOf<V extends LinkerdVersion>(
  { controlPlane, createNamespaces, remoteAccounts }: MulticlusterProps<V>,
  gateway: GatewayProps | false,
): Values {
  return {
    linkerdNamespace: controlPlane.namespace,
    identityTrustDomain: controlPlane.trustDomain,
    // The namespace is ours, labels and annotations included: nothing is left for the job.
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

/** The ports at which proxies take connections, and serve probes. Complete at synth. */
function proxyPorts({ effectiveValues }: LinkerdControlPlane<LinkerdVersion>): Values {
  const { ports } = (effectiveValues.proxy ?? {}) as Values;
  return (ports ?? {}) as Values;
}
