import type { AnchorKey, CaCertificate, IssuerChain } from '#anchor/chain';
import { type AnchorMemory, NO_MEMORY } from '#anchor/memory';
import type { AnchorPolicy, PodGroup } from '#anchor/observed';
import type { AskedSigner } from '#anchor/trust-anchor';
import type { Millis } from '../model';
import type { Conditions } from './conditions';

/** A mesh with its trust anchor, certificates and conditions. Times count from the anchor's issuance. */
export interface Scenario {
  readonly policy: AnchorPolicy;
  readonly issuer: { readonly duration: Millis; readonly renewBefore: Millis };
  readonly identityReplicas: number;
  readonly conditions: Conditions;
}

/** One generation of the anchor. */
export interface WorldAnchor {
  bundled: boolean;
  askedSigner: AskedSigner;
  state: 'issuing' | 'issued';
  certificate?: CaCertificate;
  hasIssuer: boolean;
}

/** A replica of identity, and its issuer. */
export interface Replica {
  readonly name: string;
  since: Millis;
  chain: IssuerChain;
}

/** A workload. All its pods have the same roots. */
export interface Workload {
  readonly name: string;
  since: Millis;
  roots: readonly AnchorKey[];
  /** True on the unreachable node. */
  readonly away: boolean;
  /** True if the pods read the roots when they start, like the pods of the control plane. */
  readonly reads: boolean;
  /** The generation of the anchor for which the operator last restarted the workload. */
  restartedFor?: number;
}

interface GivenRoots {
  readonly since: Millis;
  readonly keys: readonly AnchorKey[];
}

/** A mesh over time. */
export interface World {
  readonly scenario: Scenario;
  now: Millis;
  /** The period in which cert-manager is down. */
  outage?: { readonly from: Millis; readonly to: Millis };
  /** The time at which the node is reachable again. */
  awayUntil: Millis;
  readonly anchors: Map<number, WorldAnchor>;
  /** The public part of each anchor, as last issued. */
  readonly published: Map<AnchorKey, CaCertificate>;
  signer?: number;
  readonly issuer: { state: 'issuing' | 'issued'; chain: IssuerChain; revision: number };
  kept: readonly AnchorKey[];
  bundle: readonly AnchorKey[];
  /** The roots that new pods get, oldest first. */
  given: readonly GivenRoots[];
  readonly replicas: Replica[];
  readonly workloads: readonly Workload[];
  /** The observed pods; recomputed when one restarts. */
  pods?: readonly PodGroup[];
  issuerUpdates: readonly Millis[];
  /** The issuers that identity has used, each with the end of its use. */
  used: readonly { readonly chain: IssuerChain; until: Millis }[];
  readonly restartedIdentityFor: Set<string>;
  /** Restarts that occupy a slot, by the time at which they release it. */
  slots: readonly Millis[];
  /** Times at which the operator restarted a workload. */
  readonly forced: Millis[];
  memory: AnchorMemory;
  readonly events: WorldEvent[];
}

/** A scheduled event. */
export interface WorldEvent {
  readonly at: Millis;
  readonly happen: (world: World) => void;
}

/** Returns the key of a generation's anchor. */
export function keyOf(generation: number): AnchorKey {
  return `anchor ${generation}`;
}

const FIRST = 1;

/** Returns a mesh that has used its first anchor since time 0. */
export function worldAt(start: Millis, scenario: Scenario): World {
  const { policy, issuer, identityReplicas, conditions } = scenario;
  const key = keyOf(FIRST);
  const anchor: CaCertificate = { key, signer: key, notBefore: 0, notAfter: policy.duration };
  // The issuer was issued a whole number of periods after the anchor.
  const period = Math.max(1, issuer.duration - issuer.renewBefore);
  const issued = Math.floor(start / period) * period;
  const chain: IssuerChain = { signer: key, notBefore: issued, notAfter: issued + issuer.duration, bridges: [] };
  const roots = [key];
  return {
    scenario,
    now: start,
    awayUntil: 0,
    anchors: new Map([
      [FIRST, { bundled: true, askedSigner: 'self', state: 'issued', certificate: anchor, hasIssuer: true }],
    ]),
    published: new Map([[key, anchor]]),
    signer: FIRST,
    issuer: { state: 'issued', chain, revision: 1 },
    kept: roots,
    bundle: roots,
    given: [{ since: 0, keys: roots }],
    replicas: Array.from({ length: identityReplicas }, (_, index) => ({
      name: `linkerd-identity-${index}`,
      since: 0,
      chain,
    })),
    workloads: workloadsOf(conditions, roots),
    issuerUpdates: [],
    used: [{ chain, until: Number.POSITIVE_INFINITY }],
    restartedIdentityFor: new Set(),
    slots: [],
    forced: [],
    memory: {
      ...NO_MEMORY,
      current: { key, generation: FIRST },
      bundles: [
        { hash: '', keys: [], since: 0 },
        { hash: hashOf(roots), keys: roots, since: 0 },
      ],
    },
    events: [],
  };
}

/** Every tenth workload is on the node that may be unreachable. The first workload is the control plane. */
function workloadsOf({ workloads }: Conditions, roots: readonly AnchorKey[]): readonly Workload[] {
  return Array.from({ length: workloads }, (_, index) => ({
    name: `workload ${index + 1}`,
    since: 0,
    roots,
    away: index % 10 === 9 || (workloads < 10 && index === workloads - 1),
    reads: index === 0,
  }));
}

/** Returns the bundle hash of pods. */
export function hashOf(keys: readonly AnchorKey[]): string {
  return keys.join(' + ');
}

/** Schedules an event. */
export function schedule(world: World, at: Millis, happen: WorldEvent['happen']): void {
  const event = { at: Math.max(at, world.now), happen };
  // Most events are inserted at or near the end.
  let index = world.events.length;
  while (index > 0 && (world.events[index - 1] as WorldEvent).at > event.at) index--;
  world.events.splice(index, 0, event);
}
