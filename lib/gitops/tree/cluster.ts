import { Chart } from 'cdk8s';
import type { Construct, IConstruct } from 'constructs';
import { REFERENCES, type Reference } from '#kubernetes/objects/references';
import { FREE, keysOf, list, NUMBER } from '#kubernetes/options/known-keys';
import { CHARTS, type ChartFolder } from '#linkerd/charts/chart-folder';
import type { GivenRelease } from '#linkerd/releases/release';
import { addRule } from './add-rule';
import { CLUSTER } from './mesh-scope';
import { checkMirror, MIRROR, type Mirror } from './mirror';
import { type OperatorImage, operatorImageKeys } from './operator-image';
import { propsOf } from './prop-of-shape';
import { declareReferences } from './references';
import { checkTransforms, type Transform } from './transform';

/** The address of a cluster: its API server's URL, or its name in Argo CD. */
export type ClusterDestination =
  | { readonly server: string; readonly name?: never }
  | { readonly name: string; readonly server?: never };

/** The place in a file that lists a cluster. */
export interface ClusterSource {
  /** Path of the file, relative to the working directory. */
  readonly file: string;
  readonly line: number;
}

/** Facts about one Kubernetes cluster. */
export interface ClusterProps<RingName extends string = string> {
  /**
   * Name of the cluster's ring: one of the `rings` of the Platform.
   *
   * @default - none, if the platform has no rings
   */
  readonly ring?: RingName;

  /**
   * Linkerd release of the cluster's mesh, unless a construct sets another one.
   *
   * @default - that of the ring, else the newest one that the library supports
   */
  readonly release?: GivenRelease;

  /**
   * DNS domain of the cluster's services.
   *
   * @default 'cluster.local'
   */
  readonly domain?: string;

  /**
   * The cluster's address for Argo CD: its API server's URL, or its registered name.
   *
   * @default { server: 'https://kubernetes.default.svc' } - the cluster that Argo CD itself runs in
   */
  readonly destination?: ClusterDestination;

  /**
   * Names of the clusters whose services this one mirrors. The function that builds the cluster reads `cluster.links`,
   * and creates a `Link` for each.
   *
   * @default - none
   */
  readonly links?: readonly string[];

  /**
   * Objects that exist in the cluster, but not in the output: without this entry, a reference to them is an error.
   * `Reference.crd('widgets.example.com')`, `Reference.secret('shop/token')`.
   *
   * @default - only what constructs declare themselves
   */
  readonly external?: readonly Reference[];

  /**
   * The image of the operator and of the certificate rotation in this cluster, unless a construct sets its own.
   *
   * @default - the `operatorImage` of the Platform, else OperatorImage.bundled()
   */
  readonly operatorImage?: OperatorImage;

  /**
   * Where the cluster gets charts and images, if it cannot reach their publishers.
   *
   * @default - the `mirror` of the Platform, else none
   */
  readonly mirror?: Mirror;

  /**
   * The charts that are rendered at synth instead of in the cluster: `ChartFolder.at('charts')`.
   *
   * @default - the `charts` of the Platform, else none: Argo CD inflates every chart that the library does not render
   * itself
   */
  readonly charts?: ChartFolder;

  /**
   * Changes all objects of the cluster before they are checked, after the `transform` of the Platform: their labels,
   * for example. Objects must keep their kind, name and namespace. Charts that Argo CD inflates are not transformed.
   *
   * @default - objects are written as constructs create them
   */
  readonly transform?: Transform | readonly Transform[];

  /**
   * The place in a file that lists the cluster. Findings about the whole cluster name it. `readFleet` sets it.
   *
   * @default - the line that adds the cluster
   */
  readonly source?: ClusterSource;
}

/** The keys of ClusterProps. */
export const CLUSTER_PROPS = keysOf<ClusterProps>({
  ring: true,
  release: FREE,
  domain: true,
  destination: keysOf<ClusterDestination>({ server: true, name: true }),
  links: list('a list of names'),
  external: REFERENCES,
  operatorImage: operatorImageKeys,
  mirror: MIRROR,
  charts: CHARTS,
  transform: FREE,
  source: keysOf<ClusterSource>({ file: true, line: NUMBER }),
});

/**
 * One Kubernetes cluster: the scope for the constructs of its mesh.
 *
 * @example
 * platform.addCluster('east', { destination: { name: 'east' } }, (east: Cluster) => {
 *   new LinkerdMesh(east, 'mesh', { crds: { gatewayApi: 'install' } });
 * });
 */
export class Cluster extends Chart {
  /** Returns the cluster of a construct; undefined in a plain cdk8s chart. */
  static find(construct: IConstruct): Cluster | undefined {
    return construct.node.scopes.find((scope): scope is Cluster => CLUSTER in scope);
  }

  readonly name: string;
  readonly domain: string;
  /** Name of its ring; absent if the platform has none. */
  readonly ring?: string;
  /** Linkerd release of its mesh, if the cluster or its ring sets one. */
  readonly release?: GivenRelease;
  readonly destination: { readonly server: string } | { readonly name: string };
  /** Names of the clusters whose services it mirrors. */
  readonly links: readonly string[];
  readonly operatorImage?: OperatorImage;
  readonly mirror?: Mirror;
  readonly charts?: ChartFolder;
  /** @internal */
  readonly transforms: readonly Transform[];

  constructor(scope: Construct, name: string, props: ClusterProps = {}) {
    // Names stay as written: a hash in a name would rename objects, and their files, when constructs move.
    super(scope, name, { disableResourceNameHashes: true });
    Object.defineProperty(this, CLUSTER, { value: true });
    this.name = name;
    const given = propsOf<ClusterProps>(this, CLUSTER_PROPS, props);
    this.domain = given.domain ?? 'cluster.local';
    this.destination = addressIn(given.destination) ?? { server: 'https://kubernetes.default.svc' };
    this.links = given.links ?? [];
    this.operatorImage = given.operatorImage;
    this.mirror = given.mirror ?? undefined;
    this.charts = given.charts ?? undefined;
    addRule(this, () => checkMirror(this.mirror));
    const transforms = [given.transform ?? []].flat();
    this.transforms = transforms.filter((one) => typeof one === 'function');
    addRule(this, () => checkTransforms('transform', transforms));
    this.ring = given.ring;
    this.release = given.release;
    if (given.external !== undefined) declareReferences(this, { external: given.external });
  }
}

/** Returns the DNS domain of the cluster at `scope`: the Cluster's, or the usual default. */
export function clusterDomainOf(scope: IConstruct): string {
  return Cluster.find(scope)?.domain ?? 'cluster.local';
}

/**
 * Returns the address without undefined members, which conditional addresses have: `name: isHub ? undefined : 'edge'`.
 */
function addressIn(destination: ClusterDestination | undefined): Cluster['destination'] | undefined {
  if (destination?.server === undefined) return destination;
  return destination.name === undefined ? { server: destination.server } : destination;
}
