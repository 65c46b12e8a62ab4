import type { ClusterProps } from './cluster';
import type { ClusterFacts } from './cluster-facts';

/** Marks a ClusterReference, including one of another copy of this library. */
const REFERENCE = Symbol.for('cdk8s-linkerd.ClusterReference');

/**
 * A reference to a cluster of a platform, for the constructs of another cluster, such as a Link. `Platform.addCluster`
 * returns it, and `Platform.cluster` finds it by name. It does not contain the constructs of its cluster, which are
 * built at another time.
 */
export class ClusterReference {
  /** Name of the cluster, and of its folder. */
  readonly name: string;
  /** DNS domain of the cluster's services. */
  readonly domain: string;
  /**
   * Returns the facts that the cluster's constructs publish; nothing if they cannot be built. Call it at synth.
   *
   * @internal
   */
  declare readonly facts: () => ClusterFacts | undefined;
  /** For types only: other objects with a name and a domain are not references. */
  declare protected readonly reference: true;

  /** @internal */
  constructor(
    name: string,
    { domain = 'cluster.local' }: Pick<ClusterProps, 'domain'>,
    facts: () => ClusterFacts | undefined = () => undefined,
  ) {
    Object.defineProperty(this, REFERENCE, { value: true });
    this.name = name;
    this.domain = domain;
    Object.defineProperty(this, 'facts', { value: facts });
    Object.freeze(this);
  }
}

/** Whether a value is a reference to a cluster of a platform. */
export function isClusterReference(value: unknown): value is ClusterReference {
  return typeof value === 'object' && value !== null && REFERENCE in value;
}
