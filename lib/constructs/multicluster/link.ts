import { Lazy } from 'cdk8s';
import { Construct } from 'constructs';
import { defined } from '#base/defined';
import type { Values } from '#base/values';
import type { Link as LinkObject } from '#imports/crds/multicluster.linkerd.io';
import type { Reference } from '#kubernetes/objects/references';
import { checkGoDuration, type DurationLike, goDuration } from '#kubernetes/options/duration-like';
import { BOOLEAN, each, FREE, keysOf, LIST, required } from '#kubernetes/options/known-keys';
import { MIRROR_EXPORTED, MIRROR_FEDERATED } from '#linkerd/annotations';
import type { ServiceMirrorValues } from '#linkerd/releases/chart-values';
import type { LinkerdVersion } from '#linkerd/releases/known-releases';
import { checkLinkName } from '#linkerd/renderers/linkerd-multicluster/render-rules';
import { createdBy } from '#linkerd/renderers/metadata/created-by';
import { plainValues } from '../../gitops/charts/plain-values';
import { addRule } from '../../gitops/tree/add-rule';
import { Cluster } from '../../gitops/tree/cluster';
import { type ClusterReference, isClusterReference } from '../../gitops/tree/cluster-reference';
import { setHomeNamespace } from '../../gitops/tree/home-namespace';
import { manifest } from '../../gitops/tree/manifest';
import { propOfList, propOfMap, propsOf } from '../../gitops/tree/prop-of-shape';
import { declareReferences } from '../../gitops/tree/references';
import { anchorFacts } from '../pki/anchor-facts';
import {
  type GatewayFacts,
  LEFT_ANNOTATIONS,
  LEFT_LABELS,
  type MulticlusterFacts,
  type TargetFacts,
  targetFacts,
} from './facts';
import { LINK_GATEWAY, type LinkGateway } from './gateway';
import { checkGivenCredentials, checkLink, linkWarnings, withoutCredentials } from './link-rules';
import { MULTICLUSTER, type Multicluster } from './multicluster';

/** Services of the other cluster, selected by their labels. */
export interface ServiceSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
    readonly values?: readonly string[];
  }[];
}

/** Props of Link. */
export interface LinkProps {
  /** The multi-cluster extension of this cluster, which mirrors the services. */
  readonly multicluster: Multicluster<LinkerdVersion>;

  /** The cluster whose services are mirrored, as returned by `Platform.addCluster`. A link is one-way. */
  readonly target: ClusterReference;

  /**
   * How to reach its gateway; `false` for a flat network without a gateway.
   *
   * @default - as its Multicluster sets it; no gateway if the Multicluster has none
   */
  readonly gateway?: LinkGateway | false;

  /**
   * Services to mirror through the gateway; `false` for none.
   *
   * @default { matchLabels: { 'mirror.linkerd.io/exported': 'true' } }
   */
  readonly exported?: ServiceSelector | false;

  /**
   * Services to mirror with the addresses of their pods, which this cluster reaches directly; `false` for none.
   *
   * @default { matchLabels: { 'mirror.linkerd.io/exported': 'remote-discovery' } }
   */
  readonly remoteDiscovery?: ServiceSelector | false;

  /**
   * Services that become members of federated services, in a flat network; `false` for none.
   *
   * @default { matchLabels: { 'mirror.linkerd.io/federated': 'member' } }
   */
  readonly federated?: ServiceSelector | false;

  /**
   * Mirror headless services with a name for each of their pods.
   *
   * @default false - they are mirrored like any other service
   */
  readonly headlessServices?: boolean;

  /**
   * Labels that mirrors do not copy from services: whole keys, or `example.com/*` for a prefix.
   *
   * @default ['app.kubernetes.io/instance', 'argocd.argoproj.io/*'] - otherwise Argo CD might treat mirrors as its own
   * objects, and prune them
   */
  readonly excludedLabels?: readonly string[];

  /**
   * Annotations that mirrors do not copy from services: whole keys, or `example.com/*` for a prefix.
   *
   * @default ['argocd.argoproj.io/*', 'kubectl.kubernetes.io/last-applied-configuration']
   */
  readonly excludedAnnotations?: readonly string[];

  /**
   * Confirm that both clusters trust each other's anchors, where synth cannot check it: for anchors in Secrets, or
   * behind an issuer.
   *
   * @default - synth warns if it cannot check the anchors
   */
  readonly sharedTrustAnchor?: boolean;

  /**
   * Settings of the service mirror: log level, replicas, resources and others.
   *
   * @default - `controllerDefaults` of the chart
   */
  readonly controller?: ServiceMirrorValues;
}

/** A Secret with the kubeconfig for another cluster. Create it outside Git. */
export interface CredentialsSecret {
  readonly namespace: string;
  readonly name: string;
  /** Type of the Secret, whose only key is `kubeconfig`. */
  readonly type: 'mirror.linkerd.io/remote-kubeconfig';
  /** Labels by which Linkerd finds the Secret. */
  readonly labels: Readonly<Record<string, string>>;
  /** Annotations that Linkerd requires. Only pass them on: their values are resolved at synth. */
  readonly annotations: Readonly<Record<string, string>>;
}

const SERVICES = keysOf<ServiceSelector>({
  matchLabels: FREE,
  matchExpressions: each(
    keysOf<NonNullable<ServiceSelector['matchExpressions']>[number]>({ key: true, operator: true, values: LIST }),
  ),
});

const PROPS = keysOf<LinkProps>({
  multicluster: required(MULTICLUSTER),
  target: FREE,
  gateway: LINK_GATEWAY,
  exported: SERVICES,
  remoteDiscovery: SERVICES,
  federated: SERVICES,
  headlessServices: BOOLEAN,
  excludedLabels: LIST,
  excludedAnnotations: LIST,
  sharedTrustAnchor: BOOLEAN,
  controller: FREE,
});

/**
 * A link to another cluster, whose services are mirrored to this one. The Link takes the other cluster's domain,
 * gateway identity, ports and probe from that cluster's own settings.
 *
 * It needs a kubeconfig in Secrets of two namespaces, which you create outside Git (see `credentials`).
 *
 * @example
 * new Link(east, 'to-west', { multicluster, target: west });
 */
export class Link extends Construct {
  /** The Secrets that the link needs, for the construct or tool that creates them, such as an ExternalSecret. */
  readonly credentials: readonly CredentialsSecret[];
  /** @internal */
  readonly multicluster: Multicluster<LinkerdVersion>;
  private readonly props: LinkProps;
  private readonly gateway: LinkGateway | false | undefined;
  private readonly controller: Values;

  constructor(scope: Construct, id: string, props: LinkProps) {
    super(scope, id);
    const given = propsOf<LinkProps>(this, PROPS, withoutCredentials(props));
    addRule(this, () => checkGivenCredentials(props));
    const { multicluster, target } = given;
    this.props = {
      ...given,
      excludedLabels: propOfList(this, 'excludedLabels', given.excludedLabels),
      excludedAnnotations: propOfList(this, 'excludedAnnotations', given.excludedAnnotations),
    } as LinkProps;
    const gateway = given.gateway === false ? false : propOfMap(this, 'gateway', given.gateway);
    this.gateway =
      gateway &&
      ({
        ...gateway,
        addresses: propOfList(this, 'gateway.addresses', gateway.addresses),
        ports: propOfMap(this, 'gateway.ports', gateway.ports),
      } as LinkGateway);
    this.controller = plainValues(this, given.controller);
    this.multicluster = multicluster;
    this.credentials = this.credentialsOf(`${target?.name}`);
    const { namespace } = multicluster;
    setHomeNamespace(this, namespace);
    declareReferences(this, {
      external: this.credentials.map(({ namespace, name }): Reference => ({ kind: 'Secret', namespace, name })),
    });
    const cluster = Cluster.find(this);
    const isPossible = isClusterReference(target) && checkLinkName('target.name', target.name).length === 0;
    const isFirst = isPossible && multicluster.addLink(this, target.name, () => this.controllerValues());
    if (isFirst) {
      manifest(this, 'link', {
        apiVersion: 'multicluster.linkerd.io/v1alpha3',
        kind: 'Link',
        metadata: {
          name: target.name,
          namespace,
          annotations: createdBy({ cliVersion: undefined, linkerdVersion: multicluster.release.version }),
        },
        spec: Lazy.any({ produce: () => this.spec() }),
      });
    }
    addRule(this, () =>
      checkLink({
        props: this.props,
        gateway: this.gateway,
        isPossible,
        isFirst,
        cluster: cluster?.name,
        isOfThisCluster: Cluster.find(multicluster) === cluster,
        facts: this.target(),
        anchor: anchorFacts(multicluster.controlPlane.pki),
      }),
    );
    addRule(this, () => {
      const { pki, trustDomain, clusterDomain } = multicluster.controlPlane;
      const domains = { trustDomain, clusterDomain };
      return linkWarnings({ props: given, facts: this.target(), anchor: anchorFacts(pki), domains });
    });
  }

  /** Call it at synth. */
  private target(): TargetFacts {
    const { target } = this.props;
    return isClusterReference(target) ? targetFacts(target) : 'none';
  }

  /**
   * The name of the other cluster.
   *
   * @internal
   */
  get targetName(): string {
    return `${this.props.target?.name}`;
  }

  /**
   * Returns the facts about the other cluster, if it has a Multicluster. Call it at synth.
   *
   * @internal
   */
  targetFacts(): MulticlusterFacts | undefined {
    const facts = this.target();
    return typeof facts === 'string' ? undefined : facts;
  }

  private targetGateway(): GatewayFacts | undefined {
    return this.gateway === false ? undefined : this.targetFacts()?.gateway;
  }

  private controllerValues(): Values {
    const { target, headlessServices } = this.props;
    const gateway = this.targetGateway();
    const port = this.gateway ? (this.gateway.ports?.probe ?? gateway?.probe.port) : gateway?.probe.port;
    return {
      ...this.controller,
      link: { ref: { name: target.name } },
      // The service mirror reads the probe's port from this Service, and sets the Service's address.
      gateway: gateway === undefined ? { enabled: false } : { enabled: true, ...(port ? { probe: { port } } : {}) },
      ...(headlessServices === undefined ? {} : { enableHeadlessServices: headlessServices }),
    };
  }

  private spec(): LinkObject['spec'] {
    const { target, excludedAnnotations = LEFT_ANNOTATIONS, excludedLabels = LEFT_LABELS } = this.props;
    const facts = this.targetFacts();
    const gateway = this.targetGateway();
    const { exported, remoteDiscovery, federated } = this.props;
    return {
      targetClusterName: target.name,
      targetClusterDomain: facts?.clusterDomain ?? target.domain,
      targetClusterLinkerdNamespace: facts?.controlPlaneNamespace ?? 'linkerd',
      clusterCredentialsSecret: `cluster-credentials-${target.name}`,
      ...(gateway === undefined ? {} : this.gatewaySpec(gateway, selector(exported, MIRROR_EXPORTED, 'true'))),
      ...defined({ remoteDiscoverySelector: selector(remoteDiscovery, MIRROR_EXPORTED, 'remote-discovery') }),
      ...defined({ federatedServiceSelector: selector(federated, MIRROR_FEDERATED, 'member') }),
      excludedAnnotations,
      excludedLabels,
    };
  }

  private gatewaySpec(facts: GatewayFacts, exported: ServiceSelector | undefined): LinkObject['spec'] {
    const { addresses = facts.addresses, ports, failureThreshold = 3, probeTimeout } = this.gateway || {};
    return {
      gatewayAddress: addresses.join(','),
      gatewayIdentity: facts.identity,
      gatewayPort: `${ports?.gateway ?? facts.port}`,
      probeSpec: {
        // An older CRD does not set defaults for these fields, and service mirrors fail without them.
        failureThreshold: `${failureThreshold}`,
        path: facts.probe.path,
        period: `${facts.probe.seconds}s`,
        port: `${ports?.probe ?? facts.probe.port}`,
        timeout: timeoutOf(probeTimeout),
      },
      ...defined({ selector: exported }),
    };
  }

  private credentialsOf(target: string): readonly CredentialsSecret[] {
    const { multicluster } = this.props;
    const name = `cluster-credentials-${target}`;
    const type = 'mirror.linkerd.io/remote-kubeconfig';
    const text = (find: (facts: MulticlusterFacts) => string) =>
      Lazy.any({ produce: () => find(this.targetFacts() ?? UNKNOWN) }) as string;
    return [
      { namespace: multicluster.namespace, name, type, labels: {}, annotations: {} },
      // The destination controller reads this Secret, for pods that are reached directly (linkerd2,
      // controller/api/destination/watcher/cluster_store.go).
      {
        namespace: multicluster.controlPlane.namespace,
        name,
        type,
        labels: { 'multicluster.linkerd.io/cluster-name': target },
        annotations: {
          'multicluster.linkerd.io/trust-domain': text(({ trustDomain }) => trustDomain),
          'multicluster.linkerd.io/cluster-domain': text(({ clusterDomain }) => clusterDomain),
        },
      },
    ];
  }
}

/** Placeholders for the domains of an unknown cluster, which `checkLink` reports. */
const UNKNOWN = { trustDomain: '', clusterDomain: '' } as MulticlusterFacts;

function selector(
  chosen: ServiceSelector | false | undefined,
  key: string,
  value: string,
): ServiceSelector | undefined {
  return chosen === false ? undefined : (chosen ?? { matchLabels: { [key]: value } });
}

function timeoutOf(timeout: DurationLike | undefined): string {
  return timeout === undefined || checkGoDuration('gateway.probeTimeout', timeout).length > 0
    ? '30s'
    : goDuration(timeout);
}
