import type { AnchorKey, CaCertificate, IssuerChain } from '../../../../operator/api/anchor/chain';
import { type AnchorMemory, NO_MEMORY } from '../../../../operator/api/anchor/memory';
import type { AnchorPolicy, PodGroup } from '../../../../operator/api/anchor/observed';
import type { Millis } from '../model';
import type { Conditions } from './conditions';

/** A mesh with its anchor, its certificates and its conditions. Times count from the anchor's issuance. */
export interface Scenario {
  readonly policy: AnchorPolicy;
  readonly issuer: { readonly duration: Millis; readonly renewBefore: Millis };
  readonly identityReplicas: number;
  readonly conditions: Conditions;
}

/** One generation of the anchor. */
export interface WorldAnchor {
  bundled: boolean;
  askedSigner: 'self' | number;
  state: 'issuing' | 'issued';
  certificate?: CaCertificate;
  hasIssuer: boolean;
}

/** A replica of identity, and the issuer that it works with. */
export interface Replica {
  readonly name: string;
  since: Millis;
  chain: IssuerChain;
}

/** A workload whose pods are given the same roots. */
export interface Workload {
  readonly name: string;
  since: Millis;
  roots: readonly AnchorKey[];
  /** True on the node that is away. */
  readonly away: boolean;
  /** Tells whether its proxies read the roots when they start, as the control plane's own do. */
  readonly reads: boolean;
  /** The generation for which it was restarted last. */
  restartedFor?: number;
}

/** Roots by the time since which new pods are given them. */
interface GivenRoots {
  readonly since: Millis;
  readonly keys: readonly AnchorKey[];
}

/** A mesh while time goes by. */
export interface World {
  readonly scenario: Scenario;
  now: Millis;
  /** The time for which cert-manager is away. */
  outage?: { readonly from: Millis; readonly to: Millis };
  /** The time at which the node is back. */
  awayUntil: Millis;
  readonly anchors: Map<number, WorldAnchor>;
  /** The public part of each anchor, as it was issued last. */
  readonly published: Map<AnchorKey, CaCertificate>;
  signer?: number;
  readonly issuer: { state: 'issuing' | 'issued'; chain: IssuerChain; revision: number };
  kept: readonly AnchorKey[];
  bundle: readonly AnchorKey[];
  /** The roots that new pods are given, oldest first. */
  given: readonly GivenRoots[];
  readonly replicas: Replica[];
  readonly workloads: readonly Workload[];
  /** The pods as they are observed; made anew when one restarts. */
  pods?: readonly PodGroup[];
  issuerUpdates: readonly Millis[];
  /** The issuers with which identity has worked, each until when. */
  used: readonly { readonly chain: IssuerChain; until: Millis }[];
  readonly restartedIdentityFor: Set<string>;
  /** Restarts that hold a place among those at a time, by the time at which they give it back. */
  slots: readonly Millis[];
  /** Times at which the operator restarted a workload. */
  readonly forced: Millis[];
  memory: AnchorMemory;
  readonly events: WorldEvent[];
}

/** Something that happens by itself. */
export interface WorldEvent {
  readonly at: Millis;
  readonly happen: (world: World) => void;
}

/** The key of a generation's anchor. */
export function keyOf(generation: number): AnchorKey {
  return `anchor ${generation}`;
}

/** The generation that the mesh lives by at first. */
const FIRST = 1;

/** A mesh that has lived by its first anchor for long. */
export function worldAt(start: Millis, scenario: Scenario): World {
  const { policy, issuer, identityReplicas, conditions } = scenario;
  const key = keyOf(FIRST);
  const anchor: CaCertificate = { key, signer: key, notBefore: 0, notAfter: policy.duration };
  // The issuer was issued as many whole periods after the anchor as fit.
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

/** Every tenth workload has a pod on the node that may be away; one is the control plane. */
function workloadsOf({ workloads }: Conditions, roots: readonly AnchorKey[]): readonly Workload[] {
  return Array.from({ length: workloads }, (_, index) => ({
    name: `workload ${index + 1}`,
    since: 0,
    roots,
    away: index % 10 === 9 || (workloads < 10 && index === workloads - 1),
    reads: index === 0,
  }));
}

/** The hash by which pods carry a bundle. */
export function hashOf(keys: readonly AnchorKey[]): string {
  return keys.join(' + ');
}

/** Has something happen at a time. */
export function schedule(world: World, at: Millis, happen: WorldEvent['happen']): void {
  const event = { at: Math.max(at, world.now), happen };
  // Nearly all come last or nearly last.
  let index = world.events.length;
  while (index > 0 && (world.events[index - 1] as WorldEvent).at > event.at) index--;
  world.events.splice(index, 0, event);
}
