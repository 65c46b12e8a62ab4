import { advanced } from './advance';
import type { Guard, LinkedGuard } from './guards';
import { BAD_ORDERS, type BadOrder } from './orders';
import type { PairGuard } from './pair-runs';
import type { Scenario } from './scenario';
import {
  BRIDGE,
  ELSEWHERE,
  FIRST,
  HALF_DONE,
  LEAK,
  LEAK_AMID,
  LONG_WAY,
  RIGHT,
  SKEWED,
  TICKS,
  variant,
} from './scenarios';
import type { State } from './state';

const PROMPT = { late: [] } as const;
const CALM = { renewals: 0, identityRestarts: 0 } as const;

/** The next anchor has signed the issuer, over a bridge, and identity has not taken it up yet. */
const isSigned = ({ issuer }: State): boolean => issuer.secret?.over !== undefined;

/**
 * cert-manager is late, and so is the view of its results. Together with all other late views there are far more states
 * than can be explored.
 */
const LATE_ISSUER = { late: ['signer', 'issuer'], isCertManagerLate: true } as const satisfies Partial<Scenario>;

/** Leaves live for longer than the policy says, and the operator probes which leaves proxies have. */
const LONG_LEAVES = { leavesLast: 5, probes: 'all', ...PROMPT } as const satisfies Partial<Scenario>;

/** Small worlds: one kind of trouble each. */
export const SMALL: readonly Scenario[] = [
  variant(BRIDGE, { name: 'over a bridge, everything late' }, CALM),
  variant(BRIDGE, { name: 'over a bridge, cert-manager late', ...LATE_ISSUER }, CALM),
  variant(
    BRIDGE,
    { name: 'over a bridge, the operator alone restarts pods', restarts: 'operator', late: ['pods'] },
    CALM,
  ),
  variant(
    BRIDGE,
    { name: 'over a bridge, identity never notices its issuer', restarts: 'operator', isIdentityDeaf: true, ...PROMPT },
    { renewals: 1, identityRestarts: 0 },
  ),
  variant(BRIDGE, { name: 'over a bridge, taken back', ...PROMPT }, { ...CALM, mishaps: ['abort'] }),
  variant(
    BRIDGE,
    { name: 'over a bridge, taken back or not', restarts: 'operator', ...PROMPT },
    { ...CALM, mishaps: ['abort', 'abort withdrawn'] },
  ),
  advanced(
    variant(
      BRIDGE,
      { name: "over a bridge, taken back, the old anchor's Secret lost", keys: 3, restarts: 'operator', ...PROMPT },
      { ...CALM, mishaps: ['abort', 'old secret lost'] },
    ),
    isSigned,
  ),
  variant(BRIDGE, { name: 'over a bridge, memory lost', ...PROMPT }, { ...CALM, mishaps: ['memory lost'] }),
  variant(BRIDGE, { name: 'over a bridge, pointer reset', ...PROMPT }, { ...CALM, mishaps: ['pointer reset'] }),
  variant(
    BRIDGE,
    { name: "over a bridge, the next anchor's Secret lost", keys: 3, restarts: 'operator', ...PROMPT },
    { ...CALM, mishaps: ['secret lost'] },
  ),
  variant(
    BRIDGE,
    { name: "over a bridge, the old anchor's Secret lost", keys: 3, restarts: 'operator', ...PROMPT },
    { ...CALM, mishaps: ['old secret lost'] },
  ),
  variant(BRIDGE, { name: 'over a bridge, leaves live long, and proxies are asked', ...LONG_LEAVES }, CALM),
  variant(BRIDGE, { name: 'over a bridge, strangers lie to probes', ...PROMPT, probes: 'lies' }, CALM),
  variant(BRIDGE, { name: 'over a bridge, no proxy answers probes', ...PROMPT, probes: 'no answers' }, CALM),
  variant(
    LONG_WAY,
    { name: 'the long way, leaves live long, and strangers lie', ...LONG_LEAVES, probes: 'lies' },
    CALM,
  ),
  variant(LONG_WAY, { name: 'the long way, everything late' }, { renewals: 1, identityRestarts: 0 }),
  variant(LONG_WAY, { name: 'the long way, cert-manager late', ...LATE_ISSUER }, { renewals: 1, identityRestarts: 0 }),
  variant(LONG_WAY, { name: 'the long way, taken back', late: ['pods'] }, { ...CALM, mishaps: ['abort'] }),
  variant(LONG_WAY, { name: 'the long way, pointer reset', late: ['signer'] }, { ...CALM, mishaps: ['pointer reset'] }),
  variant(
    LONG_WAY,
    { name: "the long way, the next anchor's Secret lost", keys: 3, restarts: 'operator', ...PROMPT },
    { ...CALM, mishaps: ['secret lost'] },
  ),
  variant(LONG_WAY, { name: 'the long way, clocks apart', ...SKEWED, ...PROMPT }, CALM),
  variant(FIRST, { name: 'the first anchor', ...PROMPT }, CALM),
  variant(HALF_DONE, { name: 'found half done: both in the bundle, nothing signed', ...PROMPT }, CALM),
  variant(ELSEWHERE, { name: 'an anchor elsewhere, whose bridge a user signs, everything late' }),
  variant(
    ELSEWHERE,
    { name: 'an anchor elsewhere, whose bridge is signed in time, too late or wrongly', hasDeadline: true, ...PROMPT },
    { mishaps: ['wrong answer', 'answer reverted'] },
  ),
  variant(ELSEWHERE, {
    name: 'an anchor elsewhere, whose bridge stays unsigned',
    isUnsigned: true,
    hasDeadline: true,
    ...PROMPT,
  }),
  variant(
    ELSEWHERE,
    {
      name: 'an anchor elsewhere, whose bridge is signed for a key that is lost',
      keys: 3,
      restarts: 'operator',
      ...PROMPT,
    },
    { mishaps: ['secret lost', 'answer reverted'] },
  ),
];

/** The next anchor has its bridge, and signs. */
const NEXT_BRIDGED = advanced(
  variant(
    LEAK_AMID,
    { keys: 3, restarts: 'operator', policy: { ...TICKS, leafReach: 1 }, ...PROMPT },
    { mishaps: [], starts: undefined },
  ),
  isSigned,
);

/** An attacker gets a key at any time: small worlds. */
export const LEAKS: readonly Scenario[] = [
  variant(NEXT_BRIDGED, { name: "the next anchor's key leaks when it has a bridge" }, { leaked: ['B'] }),
  variant(LEAK, { name: 'a key leaks, everything late, the operator alone restarts pods', restarts: 'operator' }),
  variant(
    LEAK,
    { name: 'a key leaks, a renewal and a restart of identity', restarts: 'operator', ...PROMPT },
    { renewals: 1, identityRestarts: 1 },
  ),
  variant(
    LEAK,
    { name: 'a key leaks, memory lost', restarts: 'operator', ...PROMPT },
    { mishaps: ['key leaked', 'memory lost'] },
  ),
];

/** Larger worlds in which an attacker gets a key. */
export const LARGE_LEAKS: readonly Scenario[] = [
  variant(
    LEAK_AMID,
    { name: "the next anchor's key leaks at any time", keys: 3, restarts: 'operator', ...PROMPT },
    { mishaps: ['next key leaked'] },
  ),
  variant(LEAK, { name: 'a key leaks, everything late' }),
  variant(
    LEAK_AMID,
    { name: 'one key leaks after the other', keys: 3, restarts: 'operator', ...PROMPT },
    { mishaps: ['key leaked', 'next key leaked'] },
  ),
  variant(LEAK, { name: 'a key leaks, pods restart at any time, and are seen late', late: ['pods'] }),
  variant(
    LEAK_AMID,
    { name: 'a key leaks during a rotation, or before, and it is withdrawn', restarts: 'operator', ...PROMPT },
    { mishaps: ['key leaked', 'leak withdrawn'] },
  ),
  variant(
    LEAK_AMID,
    { name: 'a key leaks during a rotation, which may be aborted', restarts: 'operator', ...PROMPT },
    { mishaps: ['key leaked', 'abort', 'abort withdrawn'] },
  ),
  variant(LEAK, { name: 'a key leaks, clocks apart', ...SKEWED, restarts: 'operator', late: ['pods'] }),
  variant(LEAK_AMID, { name: 'a key leaks during a rotation, pods restart at any time', ...PROMPT }),
  // All of it late has more states than can be explored.
  variant(LEAK_AMID, {
    name: 'a key leaks during a rotation, pods and identity late',
    late: ['pods', 'identity'],
    restarts: 'operator',
  }),
  variant(LEAK_AMID, {
    name: 'a key leaks during a rotation, anchors, signer, issuer and bundle late',
    late: ['anchors', 'signer', 'issuer', 'bundle'],
    restarts: 'operator',
  }),
  variant(
    LEAK_AMID,
    { name: 'a key leaks during a rotation, memory lost, pods late', late: ['pods'], restarts: 'operator' },
    { mishaps: ['key leaked', 'memory lost'] },
  ),
  variant(
    LEAK_AMID,
    { name: 'a key leaks during a rotation, pointer reset', restarts: 'operator', ...PROMPT },
    { mishaps: ['key leaked', 'pointer reset'] },
  ),
  variant(
    LEAK_AMID,
    { name: 'a key leaks during a rotation, a renewal', restarts: 'operator', ...PROMPT },
    { renewals: 1 },
  ),
];

/** Larger worlds: several kinds of trouble together, and each of them late. */
export const LARGE: readonly Scenario[] = [
  variant(
    BRIDGE,
    { name: 'over a bridge, everything late, the operator alone restarts pods', restarts: 'operator' },
    CALM,
  ),
  variant(LONG_WAY, { name: 'the long way, everything late, taken back' }, { ...CALM, mishaps: ['abort'] }),
  variant(
    LONG_WAY,
    { name: 'the long way, pointer reset, its issuer late', late: ['signer', 'issuer'] },
    { ...CALM, mishaps: ['pointer reset'] },
  ),
  variant(
    BRIDGE,
    { name: "over a bridge, taken back at any time, the old anchor's Secret lost", keys: 3, ...PROMPT },
    { ...CALM, mishaps: ['abort', 'abort withdrawn', 'old secret lost'] },
  ),
  variant(
    LONG_WAY,
    { name: "the long way, taken back or not, the old anchor's Secret lost", keys: 3, ...PROMPT },
    { ...CALM, mishaps: ['abort', 'abort withdrawn', 'old secret lost'] },
  ),
  variant(BRIDGE, { name: 'over a bridge, writes interleaved', writes: 'interleaved' }, CALM),
  variant(BRIDGE, { name: 'over a bridge, a renewal at any time' }, { renewals: 1, identityRestarts: 0 }),
  variant(BRIDGE, { name: 'over a bridge, identity restarts' }, { renewals: 0, identityRestarts: 1 }),
  variant(
    BRIDGE,
    { name: 'over a bridge, a renewal and a restart, seen at once', ...PROMPT },
    { renewals: 1, identityRestarts: 1 },
  ),
  variant(
    BRIDGE,
    { name: 'over a bridge, no metric, Events', evidence: 'events', ...PROMPT },
    { renewals: 0, identityRestarts: 1 },
  ),
  variant(
    BRIDGE,
    { name: 'over a bridge, no metric, no Events', evidence: 'starts', ...PROMPT },
    { renewals: 0, identityRestarts: 1 },
  ),
  variant(BRIDGE, { name: 'over a bridge, clocks of two operators apart', ...SKEWED, late: ['pods'] }, CALM),
  variant(
    BRIDGE,
    { name: "over a bridge, cert-manager's clock ahead", ...SKEWED, clocks: { ...RIGHT, certManager: 1 }, ...PROMPT },
    { renewals: 0, identityRestarts: 1 },
  ),
  variant(
    BRIDGE,
    { name: "over a bridge, nodes' clocks ahead", ...SKEWED, clocks: { ...RIGHT, nodes: 1 }, ...PROMPT },
    { renewals: 0, identityRestarts: 1 },
  ),
  variant(
    BRIDGE,
    { name: 'over a bridge, memory lost, identity seen late', late: ['identity', 'issuer'] },
    { ...CALM, mishaps: ['memory lost'] },
  ),
  variant(
    BRIDGE,
    { name: 'over a bridge, pointer reset and a renewal', ...PROMPT },
    { renewals: 1, identityRestarts: 0, mishaps: ['pointer reset'] },
  ),
  variant(
    BRIDGE,
    { name: 'over a bridge, label removed and a renewal', ...PROMPT },
    { renewals: 1, identityRestarts: 0, mishaps: ['label removed'] },
  ),
  variant(
    BRIDGE,
    { name: 'over a bridge, taken back, pointer deleted', ...PROMPT },
    { ...CALM, mishaps: ['abort', 'pointer deleted'] },
  ),
  variant(
    BRIDGE,
    { name: 'over a bridge, label and Issuer lost', ...PROMPT },
    { ...CALM, mishaps: ['label removed', 'issuer deleted'] },
  ),
  variant(
    LONG_WAY,
    { name: 'the long way, a renewal and a restart, issuer and identity late', late: ['issuer', 'identity'] },
    { renewals: 1, identityRestarts: 1 },
  ),
  variant(LONG_WAY, { name: 'the long way, writes interleaved', writes: 'interleaved' }, CALM),
  variant(
    LONG_WAY,
    { name: 'the long way, late by two ticks', policy: { ...TICKS, lag: 2, leafReach: 1 } },
    { renewals: 0, identityRestarts: 1 },
  ),
  variant(
    LONG_WAY,
    { name: 'the long way, clocks apart, pods late', ...SKEWED, late: ['pods'] },
    { renewals: 0, identityRestarts: 1 },
  ),
  variant(
    LONG_WAY,
    { name: 'the long way, memory lost and a renewal', ...PROMPT },
    { renewals: 1, identityRestarts: 0, mishaps: ['memory lost'] },
  ),
  variant(
    LONG_WAY,
    { name: 'the long way, taken back, pointer reset and a renewal', ...PROMPT },
    { renewals: 1, identityRestarts: 0, mishaps: ['abort', 'pointer reset'] },
  ),
  variant(FIRST, { name: 'the first anchor, issuer and identity late', late: ['issuer', 'identity'] }),
  variant(
    ELSEWHERE,
    {
      name: 'an anchor elsewhere, whose bridge is signed in time, too late or wrongly, anchors late',
      hasDeadline: true,
      late: ['anchors'],
    },
    { mishaps: ['wrong answer', 'answer reverted'] },
  ),
  variant(
    ELSEWHERE,
    { name: 'an anchor elsewhere, writes interleaved', hasDeadline: true, writes: 'interleaved', ...PROMPT },
    { mishaps: ['answer reverted'] },
  ),
  variant(
    ELSEWHERE,
    { name: 'an anchor elsewhere, taken back or not, memory lost', hasDeadline: true, ...PROMPT },
    { mishaps: ['abort', 'abort withdrawn', 'memory lost'] },
  ),
  variant(
    ELSEWHERE,
    { name: 'an anchor elsewhere, a renewal and a restart', hasDeadline: true, ...PROMPT },
    { renewals: 1, identityRestarts: 1 },
  ),
  variant(HALF_DONE, { name: 'found half done, memory lost', ...PROMPT }, { ...CALM, mishaps: ['memory lost'] }),
];

const LATE_PODS = variant(
  LONG_WAY,
  { ...PROMPT, late: ['pods'], policy: { ...TICKS, lag: 2, leafReach: 1 } },
  { renewals: 0, identityRestarts: 1 },
);

/** For each guard, a small world in which a mesh breaks without it, from a point that a rotation reaches as planned. */
export const WITHOUT: Readonly<Record<Exclude<Guard, PairGuard | LinkedGuard>, Scenario>> = {
  announced: LATE_PODS,
  bridged: variant(BRIDGE, PROMPT, CALM),
  'adopted-first': variant(LONG_WAY, PROMPT, CALM),
  'taken-up': advanced(variant(BRIDGE, PROMPT, CALM), isSigned),
  'leaves-turned': advanced(variant(BRIDGE, PROMPT, CALM), isSigned),
  probed: advanced(variant(BRIDGE, LONG_LEAVES, CALM), isSigned),
  adopted: advanced(variant(BRIDGE, PROMPT, { renewals: 1, identityRestarts: 0 }), isSigned),
  settled: LATE_PODS,
  'signer-moved': advanced(
    variant(BRIDGE, { ...PROMPT, isCertManagerLate: true }, { renewals: 1, identityRestarts: 0 }),
    isSigned,
  ),
  returned: variant(LONG_WAY, PROMPT, { ...CALM, mishaps: ['abort'] }),
};

/** A world in which an order breaks. */
export const FOR_ORDERS: readonly { readonly order: BadOrder; readonly scenario: Scenario }[] = BAD_ORDERS.map(
  (order) => ({
    order,
    scenario: order.isLeak
      ? variant(LEAK, { ...PROMPT, restarts: 'operator' })
      : order.isElsewhere
        ? variant(ELSEWHERE, { ...PROMPT, keys: 3 }, { mishaps: ['wrong answer'] })
        : variant(BRIDGE, { ...PROMPT, keys: 3 }, { renewals: order.needsRenewal ? 1 : 0, identityRestarts: 0 }),
  }),
);
