import type { ClusterProps } from './cluster';
import type { ClusterFacts } from './cluster-facts';

/** Marks a ClusterReference, also one of another copy of this library. */
const REFERENCE = Symbol.for('cdk8s-linkerd.ClusterReference');

/**
 * A cluster of a platform, for the constructs of another one: a link to it, say. `Platform.addCluster` returns it, and
 * `Platform.cluster` finds it by name; the constructs of its cluster are built at another time, and are not in it.
 */
export class ClusterReference {
  /** Name of the cluster, and of its folder. */
  readonly name: string;
  /** DNS domain of the cluster's services. */
  readonly domain: string;
  /**
   * Returns what the cluster's constructs tell those of others; nothing where they cannot be built. To be asked at
   * synth.
   *
   * @internal
   */
  declare readonly facts: () => ClusterFacts | undefined;
  /** For types only: whatever else has a name and a domain is no reference. */
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

/** Tells whether something is a reference to a cluster of a platform. */
export function isClusterReference(value: unknown): value is ClusterReference {
  return typeof value === 'object' && value !== null && REFERENCE in value;
}
