import type { AnchorKey, CaCertificate, IssuerChain, Time } from '../../chain';
import { type AnchorMemory, NO_MEMORY } from '../../memory';
import type { AnchorPolicy, MemberRequest } from '../../observed';
import type { AnchorPlan, MemberReport } from '../../plan';
import { anchorPolicy } from '../../policy';
import { type AskedSigner, TRUST_ANCHOR_DEFAULTS, type TrustAnchorSpec } from '../../trust-anchor';
import { type Random, seededRandom } from '../random';
import type { Decide } from '../scenario';

/** A CA certificate with a unique id. */
export interface Made extends CaCertificate {
  readonly id: string;
}

/** Certificate, Issuer and Secret of a generation. */
export interface HeldAnchor {
  /** The key in the Secret, or of the request that waits for an answer. */
  key?: AnchorKey;
  asked: AskedSigner;
  bundled: boolean;
  isIssuing: boolean;
  hasIssuer: boolean;
  /** The certificates in the Secret: its own, and those from its signer upwards. */
  chain: readonly Made[];
  /** The operator's answer to the request. */
  answered?: readonly Made[];
}

/** A version of the mesh's bundle. */
export interface GivenBundle {
  readonly since: Time;
  readonly certificates: readonly Made[];
}

/** A workload whose pods start together. */
export interface Workload {
  readonly name: string;
  /** The proxy reads its roots from a file when it starts, as in the control plane: no annotation shows them. */
  readonly reads: boolean;
  readonly lifeMs: number;
  /** How far the node's clock is ahead. */
  readonly ahead: number;
  started?: Time;
  bundle: readonly Made[];
  /** The annotation by which it was restarted, and when, by the operator's clock. */
  restarted?: { readonly wave: string; readonly at: Time };
}

/** A request to cert-manager for the certificate of another cluster's anchor. */
export interface Certification {
  readonly request: MemberRequest;
  readonly generation: number;
  readonly duration: number;
  readonly since: Time;
  certificate?: Made;
}

/** What a cluster reports to others, with the certificates. */
export interface Report extends Omit<MemberReport, 'asks' | 'answers'> {
  readonly updated: Time;
  readonly roots: readonly Made[];
  readonly request?: MemberRequest;
  readonly answers: Readonly<Record<string, Made>>;
}

/** One of several linked clusters, and its operator. Times are true times; the clock of each part may be ahead. */
export interface Cluster {
  readonly name: string;
  readonly domain: string;
  readonly decide: Decide;
  readonly random: Random;
  readonly ahead: { readonly operator: number; readonly certManager: number };
  readonly issuerLifeMs: number;
  spec: TrustAnchorSpec;
  now: Time;
  keys: number;
  readonly anchors: Map<number, HeldAnchor>;
  signer?: number;
  readonly issuer: { isIssuing: boolean; chain?: IssuerChain; revision: number; retriedAt: Time };
  kept: readonly AnchorKey[];
  /** The versions of the bundle, the latest last. */
  bundles: readonly GivenBundle[];
  /** The roots that the cluster has seen, by their keys. */
  readonly roots: Map<AnchorKey, Made>;
  /** The workloads, identity first. */
  readonly workloads: readonly Workload[];
  readonly identity: { chain?: IssuerChain; loadsAt: Time; readonly restartedFor: Set<string> };
  /** The chains that are in use, and until when. */
  leaves: readonly { readonly chain: IssuerChain; readonly until: Time }[];
  memory: AnchorMemory;
  plan?: AnchorPlan;
  report?: Report;
  readonly heard: Map<string, Report>;
  readonly certifications: Map<string, Certification>;
  readonly ledger: Ledger;
}

/** What happened in all clusters. */
export interface Ledger {
  /** All CA certificates that were ever made: any holder of a key can present any of them. */
  readonly made: Made[];
  readonly log: string[];
  /** Sentences about violations. */
  readonly faults: string[];
}

/** How a cluster differs from others. */
export interface ClusterOptions {
  readonly name: string;
  readonly domain: string;
  readonly spec: Partial<TrustAnchorSpec>;
  readonly decide: Decide;
  readonly seed: number;
  readonly podMs: number;
  readonly issuerLifeMs: number;
  /** The longest distance of two clocks. */
  readonly clocksApartMs: number;
  readonly ledger: Ledger;
}

/** Creates a cluster without an anchor. */
export function createCluster({ spec, seed, podMs, clocksApartMs, ...own }: ClusterOptions): Cluster {
  const random = seededRandom(seed);
  const ahead = (): number => Math.round(random() * clocksApartMs);
  const workload = (workloadName: string, reads: boolean): Workload => ({
    name: workloadName,
    reads,
    lifeMs: Math.ceil(podMs * (0.5 + random() / 2)),
    ahead: ahead(),
    bundle: [],
  });
  return {
    ...own,
    random,
    ahead: { operator: ahead(), certManager: ahead() },
    spec: { ...TRUST_ANCHOR_DEFAULTS, ...spec },
    now: 0,
    keys: 0,
    anchors: new Map(),
    issuer: { isIssuing: true, revision: 0, retriedAt: 0 },
    kept: [],
    bundles: [],
    roots: new Map(),
    workloads: [
      workload('identity', true),
      workload('destination', true),
      workload('web', false),
      workload('api', false),
    ],
    identity: { loadsAt: 0, restartedFor: new Set() },
    leaves: [],
    memory: NO_MEMORY,
    heard: new Map(),
    certifications: new Map(),
  };
}

const policies = new WeakMap<TrustAnchorSpec, AnchorPolicy>();

/** The policy of a cluster, in milliseconds. */
export function policyOf({ spec }: Cluster): AnchorPolicy {
  const policy = policies.get(spec) ?? anchorPolicy(spec, spec.rotateNow);
  policies.set(spec, policy);
  return policy;
}

/** Returns the key in the Secret of an anchor. */
export function heldKey(cluster: Cluster, generation: number | undefined): AnchorKey | undefined {
  return generation === undefined ? undefined : cluster.anchors.get(generation)?.chain[0]?.key;
}

/** Returns the certificates of the latest bundle. */
export function bundleOf({ bundles }: Cluster): readonly Made[] {
  return bundles.at(-1)?.certificates ?? [];
}

/** Returns the hash of its bundle that a pod carries. */
export function hashOf(bundle: readonly Made[]): string {
  return bundle.map(({ id }) => id).join();
}

/** The anchors that a proxy with a bundle trusts. */
export function keysOf(bundle: readonly Made[]): readonly AnchorKey[] {
  return bundle.map(({ key }) => key);
}
