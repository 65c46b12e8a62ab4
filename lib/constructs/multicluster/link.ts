import { type Duration, Lazy } from 'cdk8s';
import { Construct } from 'constructs';
import type { Link as LinkObject } from '../../../imports/crds/multicluster.linkerd.io';
import { plainValues } from '../../gitops/charts/plain-values';
import { addRule, addWarnings } from '../../gitops/tree/add-rule';
import { Cluster } from '../../gitops/tree/cluster';
import { type ClusterReference, isClusterReference } from '../../gitops/tree/cluster-reference';
import { setHomeNamespace } from '../../gitops/tree/home-namespace';
import { manifest } from '../../gitops/tree/manifest';
import { propOfList, propOfMap, propsOf } from '../../gitops/tree/prop-of-shape';
import { declareReferences } from '../../gitops/tree/references';
import { checkGoDuration, goDuration } from '../../kubernetes/go-duration';
import { each, FREE, keysOf, required } from '../../kubernetes/known-keys';
import type { Reference } from '../../kubernetes/references';
import type { Values } from '../../kubernetes/values';
import { checkLinkName } from '../../linkerd/charts/linkerd-multicluster/render-rules';
import { createdBy } from '../../linkerd/charts/metadata/created-by';
import type { ServiceMirrorValues } from '../../linkerd/releases/chart-values';
import type { LinkerdVersion } from '../../linkerd/releases/release';
import { anchorFacts } from '../pki/anchor-facts';
import { EXPORTED, FEDERATED } from './exported-service';
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

/** Services of the other cluster, by their labels. */
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

  /** The cluster whose services are mirrored: what `Platform.addCluster` returned. Links lead one way. */
  readonly target: ClusterReference;

  /**
   * The way to its gateway; `false` to do without, in a flat network.
   *
   * @default - as its own Multicluster says; without one, the link does without
   */
  readonly gateway?: LinkGateway | false;

  /**
   * Services that are mirrored by way of the gateway; `false` for none.
   *
   * @default { matchLabels: { 'mirror.linkerd.io/exported': 'true' } }
   */
  readonly exported?: ServiceSelector | false;

  /**
   * Services that are mirrored with the addresses of their pods, which this cluster reaches directly; `false` for none.
   *
   * @default { matchLabels: { 'mirror.linkerd.io/exported': 'remote-discovery' } }
   */
  readonly remoteDiscovery?: ServiceSelector | false;

  /**
   * Services that become members of federated ones, in a flat network; `false` for none.
   *
   * @default { matchLabels: { 'mirror.linkerd.io/federated': 'member' } }
   */
  readonly federated?: ServiceSelector | false;

  /**
   * Tells whether headless services are mirrored with a name for each of their pods.
   *
   * @default false - they are mirrored as any other
   */
  readonly headlessServices?: boolean;

  /**
   * Labels that mirrors do not get from the services: whole keys, or `example.com/*` for all of a prefix.
   *
   * @default ['app.kubernetes.io/instance', 'argocd.argoproj.io/*'] - or Argo CD might take mirrors for its own, and
   * prune them
   */
  readonly excludedLabels?: readonly string[];

  /**
   * Annotations that mirrors do not get from the services: whole keys, or `example.com/*` for all of a prefix.
   *
   * @default ['argocd.argoproj.io/*', 'kubectl.kubernetes.io/last-applied-configuration']
   */
  readonly excludedAnnotations?: readonly string[];

  /**
   * Tells that both clusters trust each other's anchors, where Git does not tell: with anchors in Secrets, or behind an
   * issuer.
   *
   * @default - there is a warning where it is not known
   */
  readonly sharedTrustAnchor?: boolean;

  /**
   * The service mirror's own settings: log level, replicas, resources and the like.
   *
   * @default - `controllerDefaults` of the chart
   */
  readonly controller?: ServiceMirrorValues;
}

/** A Secret with the kubeconfig for another cluster, which something else has to bring: it never stands in Git. */
export interface CredentialsSecret {
  readonly namespace: string;
  readonly name: string;
  /** Its type; its only key is `kubeconfig`. */
  readonly type: 'mirror.linkerd.io/remote-kubeconfig';
  /** Labels without which it is passed over. */
  readonly labels: Readonly<Record<string, string>>;
  /** Annotations without which it is passed over; to be put into objects as they are, since they are known at synth. */
  readonly annotations: Readonly<Record<string, string>>;
}

const SERVICES = keysOf<ServiceSelector>({
  matchLabels: FREE,
  matchExpressions: each(
    keysOf<NonNullable<ServiceSelector['matchExpressions']>[number]>({ key: true, operator: true, values: true }),
  ),
});

const PROPS = keysOf<LinkProps>({
  multicluster: required(MULTICLUSTER),
  target: FREE,
  gateway: LINK_GATEWAY,
  exported: SERVICES,
  remoteDiscovery: SERVICES,
  federated: SERVICES,
  headlessServices: true,
  excludedLabels: true,
  excludedAnnotations: true,
  sharedTrustAnchor: true,
  controller: FREE,
});

/**
 * A link to another cluster: its services are mirrored to this one. What the Link says of the other cluster, its domain,
 * its gateway's identity, ports and probe, is that cluster's own.
 *
 * The kubeconfig is a Secret that something else brings, in two namespaces (see `credentials`).
 */
export class Link extends Construct {
  /** The Secrets that the link needs, for whatever brings them: an ExternalSecret, say. */
  readonly credentials: readonly CredentialsSecret[];
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
    addWarnings(this, () => {
      const { pki, trustDomain, clusterDomain } = multicluster.controlPlane;
      const domains = { trustDomain, clusterDomain };
      return linkWarnings({ props: given, facts: this.target(), anchor: anchorFacts(pki), domains });
    });
  }

  /** Facts about the other cluster. To be asked at synth. */
  private target(): TargetFacts {
    const { target } = this.props;
    return isClusterReference(target) ? targetFacts(target) : 'none';
  }

  private known(): MulticlusterFacts | undefined {
    const facts = this.target();
    return typeof facts === 'string' ? undefined : facts;
  }

  /** The other cluster's gateway; undefined where the link does without. */
  private targetGateway(): GatewayFacts | undefined {
    return this.gateway === false ? undefined : this.known()?.gateway;
  }

  private controllerValues(): Values {
    const { target, headlessServices } = this.props;
    const gateway = this.targetGateway();
    const port = this.gateway ? (this.gateway.ports?.probe ?? gateway?.probe.port) : gateway?.probe.port;
    return {
      ...this.controller,
      link: { ref: { name: target.name } },
      // The service mirror asks for the port of the probe at this Service, whose address it fills in itself.
      gateway: gateway === undefined ? { enabled: false } : { enabled: true, ...(port ? { probe: { port } } : {}) },
      ...(headlessServices === undefined ? {} : { enableHeadlessServices: headlessServices }),
    };
  }

  private spec(): LinkObject['spec'] {
    const { target, excludedAnnotations = LEFT_ANNOTATIONS, excludedLabels = LEFT_LABELS } = this.props;
    const facts = this.known();
    const gateway = this.targetGateway();
    const { exported, remoteDiscovery, federated } = this.props;
    return {
      targetClusterName: target.name,
      targetClusterDomain: facts?.clusterDomain ?? target.domain,
      targetClusterLinkerdNamespace: facts?.controlPlaneNamespace ?? 'linkerd',
      clusterCredentialsSecret: `cluster-credentials-${target.name}`,
      ...(gateway === undefined ? {} : this.gatewaySpec(gateway, selector(exported, EXPORTED, 'true'))),
      ...given({ remoteDiscoverySelector: selector(remoteDiscovery, EXPORTED, 'remote-discovery') }),
      ...given({ federatedServiceSelector: selector(federated, FEDERATED, 'member') }),
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
        // What is left out is an error to service mirrors where the CRD is older than these fields.
        failureThreshold: `${failureThreshold}`,
        path: facts.probe.path,
        period: `${facts.probe.seconds}s`,
        port: `${ports?.probe ?? facts.probe.port}`,
        timeout: timeoutOf(probeTimeout),
      },
      ...given({ selector: exported }),
    };
  }

  private credentialsOf(target: string): readonly CredentialsSecret[] {
    const { multicluster } = this.props;
    const name = `cluster-credentials-${target}`;
    const type = 'mirror.linkerd.io/remote-kubeconfig';
    const text = (find: (facts: MulticlusterFacts) => string) =>
      Lazy.any({ produce: () => find(this.known() ?? UNKNOWN) }) as string;
    return [
      { namespace: multicluster.namespace, name, type, labels: {}, annotations: {} },
      // The destination controller reads it, for pods that are reached directly (linkerd2,
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

/** Domains of a cluster of which nothing is known, which is reported. */
const UNKNOWN = { trustDomain: '', clusterDomain: '' } as MulticlusterFacts;

function selector(
  chosen: ServiceSelector | false | undefined,
  key: string,
  value: string,
): ServiceSelector | undefined {
  return chosen === false ? undefined : (chosen ?? { matchLabels: { [key]: value } });
}

function given<T extends object>(values: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T;
}

function timeoutOf(timeout: Duration | undefined): string {
  return timeout === undefined || checkGoDuration('gateway.probeTimeout', timeout).length > 0
    ? '30s'
    : goDuration(timeout);
}
