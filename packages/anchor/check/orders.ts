import { DISTRUSTED } from '../compromised';
import { NO_MEMORY } from '../memory';
import type { ObservedAnchor, ObservedTrust } from '../observed';
import type { AnchorAction } from '../plan';
import { next } from '../rotation/next';
import type { Guard } from './guards';
import type { Decide } from './scenario';

/** An order of steps that tools or guides use, and that breaks meshes. */
export interface BadOrder {
  readonly name: string;
  /** The tool or guide that uses the order. */
  readonly source: string;
  /** The decisions of the order, or the guard that the operator would lack. */
  readonly decide: Decide | Guard;
  /** True if the order breaks a mesh only when cert-manager renews the issuer. */
  readonly needsRenewal?: boolean;
  /** True for an anchor whose key is outside the cluster. */
  readonly isElsewhere?: boolean;
  /** True for a leaked key. */
  readonly isLeak?: boolean;
}

interface Seen {
  readonly observed: ObservedTrust;
  readonly now: number;
  readonly generation: number;
  readonly old: ObservedAnchor | undefined;
  readonly next: ObservedAnchor | undefined;
  readonly isInBundle: boolean;
  readonly isSigned: boolean;
}

/** The orders that are known to fail. */
export const BAD_ORDERS: readonly BadOrder[] = [
  {
    name: 'the issuer before the restarts, without a bridge',
    source: 'linkerd2#4287; the guide before 2025-12; linkerd-trust-rotator',
    decide: order((seen) => [...mint(seen), ...(seen.isInBundle ? signAndRestart(seen) : [])]),
  },
  {
    name: 'anchor and issuer in one step',
    source: 'a new anchor under the name of the old one',
    decide: order(swap),
  },
  {
    name: 'anchor and issuer renewed independently',
    source: "the guide's sample: after its second renewal, the anchor that signs is in no bundle",
    decide: order(renewAnchor),
  },
  {
    name: 'the old anchor retired by a timer',
    source: 'over a bridge, without a check that all pods have adopted the new one',
    decide: order((seen) => [...mint(seen), ...(seen.isInBundle ? bridgeAndSign(seen) : []), ...retireByTimer(seen)]),
    needsRenewal: true,
  },
  {
    name: 'a bridge accepted without checks',
    source: 'an external issuer that returns any certificate with the right key',
    decide: order(takeAnyAnswer, 1),
    isElsewhere: true,
  },
  {
    name: 'no wait for the bridge',
    source: 'the next anchor signs while its request for a certificate is still open',
    decide: order((seen) => [...mint(seen), ...(seen.isInBundle ? signAndRestart(seen) : [])], 1),
    isElsewhere: true,
  },
  {
    name: 'a bridge signed by the leaked key',
    source: 'an ordinary rotation, started at once',
    decide: (observed, now) => next({ ...observed, policy: { ...observed.policy, ...HURRY } }, now),
    isLeak: true,
  },
  {
    name: 'the old root removed as soon as all pods trust the next one',
    source: 'an emergency that does not wait until no pod has a certificate of the old anchor',
    decide: 'leaves-turned',
    isLeak: true,
  },
  {
    name: 'a leak declared over when the old root has left the bundle',
    source: 'the guide: pods forget the root at their next restart, whenever it comes',
    decide: overWithBundle,
    isLeak: true,
  },
];

const HURRY = { compromised: [], rotateNow: 'leak', laggards: 'Restart' } as const;

function overWithBundle(observed: ObservedTrust, now: number): ReturnType<Decide> {
  const plan = next(observed, now);
  const isIn = observed.bundle?.anchors.some(({ key }) => observed.policy.compromised?.includes(key));
  const milestones = plan.milestones.map((one) => (one.type === DISTRUSTED && !isIn ? { ...one, status: true } : one));
  return { ...plan, milestones };
}

/** Returns the decisions of an order. `generation` is the number of the next generation. */
function order(actions: (seen: Seen) => readonly AnchorAction[], generation = 2): Decide {
  return (observed, now) => {
    const old = observed.anchors.find((anchor) => anchor.generation === generation - 1);
    const next = observed.anchors.find((anchor) => anchor.generation === generation);
    const isInBundle = observed.bundle?.anchors.some(({ key }) => key === next?.certificate?.key) === true;
    const isSigned = observed.issuer.chain?.signer === next?.certificate?.key && next?.certificate !== undefined;
    const signing = observed.memory.rotation?.signing ?? now;
    const memory = isSigned ? { ...NO_MEMORY, rotation: { to: generation, began: 0, why: '', signing } } : NO_MEMORY;
    return { memory, actions: actions({ observed, now, generation, old, next, isInBundle, isSigned }) };
  };
}

function mint({ next, generation }: Seen): readonly AnchorAction[] {
  return next === undefined ? [{ do: 'apply-anchor', generation, signer: 'self', bundled: true }] : [];
}

function signByNext({ observed, isSigned, generation }: Seen): readonly AnchorAction[] {
  if (observed.signer !== generation) return [{ do: 'set-signer', generation }];
  const isWaiting = isSigned || observed.issuer.state !== 'issued';
  return isWaiting ? [] : [{ do: 'renew-issuer', revision: observed.issuer.revision }];
}

function signAndRestart(seen: Seen): readonly AnchorAction[] {
  const { observed, isSigned } = seen;
  const restart = { do: 'restart-identity', revision: observed.issuer.revision ?? 0 } as const;
  return isSigned ? [restart] : signByNext(seen);
}

function swap(seen: Seen): readonly AnchorAction[] {
  if (seen.next?.certificate === undefined) return mint(seen);
  return [...forget(seen), ...signByNext(seen)];
}

/** Besides the anchors, the bundle contains only a copy of the previous one, made by hand. */
function renewAnchor({ observed, old }: Seen): readonly AnchorAction[] {
  const newest = Math.max(...observed.anchors.map(({ generation }) => generation));
  const isIssued = observed.anchors.every(({ certificate }) => certificate !== undefined);
  if (!isIssued) return [];
  if (observed.signer !== newest) return [{ do: 'set-signer', generation: newest }];
  if (newest < 3) return [{ do: 'apply-anchor', generation: newest + 1, signer: 'self', bundled: true }];
  return old?.bundled || observed.kept.includes('A') ? drop(1) : [];
}

function bridgeAndSign(seen: Seen): readonly AnchorAction[] {
  const { old, next } = seen;
  if (next?.askedSigner === 'self' && next.state === 'issued') {
    return [
      ...(old?.hasIssuer ? [] : [{ do: 'apply-issuer', generation: 1 } as const]),
      { do: 'apply-anchor', generation: 2, signer: 1, bundled: true },
    ];
  }
  return next?.certificate?.signer === 'A' ? signByNext(seen) : [];
}

function takeAnyAnswer(seen: Seen): readonly AnchorAction[] {
  const { observed, next, generation, isInBundle } = seen;
  if (next === undefined || !isInBundle) return mint(seen);
  if (next.certificate?.signer !== next.certificate?.key) return signAndRestart(seen);
  if (next.askedSigner === 'self') return [{ do: 'apply-anchor', generation, signer: 'request', bundled: true }];
  const given = (observed.answers ?? []).flatMap(({ certificates }) => certificates);
  const ids = given.filter(({ key }) => key === next.request?.key).map(({ id }) => id);
  return ids.length === 0 ? [] : [{ do: 'answer-request', generation, certificates: ids, signer: 'A' }];
}

function retireByTimer(seen: Seen): readonly AnchorAction[] {
  const { observed, now } = seen;
  const began = observed.memory.rotation?.signing;
  const isTime = began !== undefined && now >= began + observed.policy.leafReach + observed.policy.lag;
  return isTime ? forget(seen) : [];
}

function forget({ observed, old }: Seen): readonly AnchorAction[] {
  return old?.bundled || observed.kept.includes('A') ? drop(1) : [];
}

function drop(generation: number): readonly AnchorAction[] {
  return [
    { do: 'bundle', generation, bundled: false },
    { do: 'keep-roots', keys: [] },
  ];
}
