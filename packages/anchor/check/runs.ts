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

/** The next anchor has signed the issuer, over a bridge, and identity has not loaded it yet. */
const isSigned = ({ issuer }: State): boolean => issuer.secret?.over !== undefined;

/**
 * cert-manager is late, and so is the operator's view of its results. With all other views late as well, there would be
 * more states than can be explored.
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
    { name: 'over a bridge, only the operator restarts pods', restarts: 'operator', late: ['pods'] },
    CALM,
  ),
  variant(
    BRIDGE,
    {
      name: 'over a bridge, identity never notices a new issuer',
      restarts: 'operator',
      isIdentityDeaf: true,
      ...PROMPT,
    },
    { renewals: 1, identityRestarts: 0 },
  ),
  variant(BRIDGE, { name: 'over a bridge, rolled back', ...PROMPT }, { ...CALM, mishaps: ['abort'] }),
  variant(
    BRIDGE,
    { name: 'over a bridge, with a rollback that may be withdrawn', restarts: 'operator', ...PROMPT },
    { ...CALM, mishaps: ['abort', 'abort withdrawn'] },
  ),
  advanced(
    variant(
      BRIDGE,
      { name: "over a bridge, rolled back, the old anchor's Secret lost", keys: 3, restarts: 'operator', ...PROMPT },
      { ...CALM, mishaps: ['abort', 'old secret lost'] },
    ),
    isSigned,
  ),
  variant(BRIDGE, { name: 'over a bridge, memory lost', ...PROMPT }, { ...CALM, mishaps: ['memory lost'] }),
  variant(
    BRIDGE,
    { name: 'over a bridge, pointer to the signer reset', ...PROMPT },
    { ...CALM, mishaps: ['pointer reset'] },
  ),
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
  variant(BRIDGE, { name: 'over a bridge, leaves live long, proxies are probed', ...LONG_LEAVES }, CALM),
  variant(
    BRIDGE,
    { name: 'over a bridge, foreign pods present arbitrary certificates', ...PROMPT, probes: 'lies' },
    CALM,
  ),
  variant(BRIDGE, { name: 'over a bridge, no proxy answers probes', ...PROMPT, probes: 'no answers' }, CALM),
  variant(
    LONG_WAY,
    { name: 'without a bridge, leaves live long, foreign pods lie to probes', ...LONG_LEAVES, probes: 'lies' },
    CALM,
  ),
  variant(LONG_WAY, { name: 'without a bridge, everything late' }, { renewals: 1, identityRestarts: 0 }),
  variant(
    LONG_WAY,
    { name: 'without a bridge, cert-manager late', ...LATE_ISSUER },
    { renewals: 1, identityRestarts: 0 },
  ),
  variant(LONG_WAY, { name: 'without a bridge, rolled back', late: ['pods'] }, { ...CALM, mishaps: ['abort'] }),
  variant(
    LONG_WAY,
    { name: 'without a bridge, pointer to the signer reset', late: ['signer'] },
    { ...CALM, mishaps: ['pointer reset'] },
  ),
  variant(
    LONG_WAY,
    { name: "without a bridge, the next anchor's Secret lost", keys: 3, restarts: 'operator', ...PROMPT },
    { ...CALM, mishaps: ['secret lost'] },
  ),
  variant(LONG_WAY, { name: 'without a bridge, clocks differ', ...SKEWED, ...PROMPT }, CALM),
  variant(FIRST, { name: 'the first anchor', ...PROMPT }, CALM),
  variant(
    HALF_DONE,
    { name: 'found half done: both anchors in the bundle, nothing signed by the next one', ...PROMPT },
    CALM,
  ),
  variant(ELSEWHERE, { name: 'an external anchor, a user signs the bridge, everything late' }),
  variant(
    ELSEWHERE,
    { name: 'an external anchor, the bridge signed in time, too late or wrongly', hasDeadline: true, ...PROMPT },
    { mishaps: ['wrong answer', 'answer reverted'] },
  ),
  variant(ELSEWHERE, {
    name: 'an external anchor, the bridge unsigned',
    isUnsigned: true,
    hasDeadline: true,
    ...PROMPT,
  }),
  variant(
    ELSEWHERE,
    {
      name: 'an external anchor, the bridge signed for a lost key',
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
  variant(LEAK, { name: 'a key leaks, everything late, only the operator restarts pods', restarts: 'operator' }),
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
    { name: 'a key is named as leaked before or during a rotation, and withdrawn', restarts: 'operator', ...PROMPT },
    { mishaps: ['key leaked', 'leak withdrawn'] },
  ),
  variant(
    LEAK_AMID,
    { name: 'a key leaks during a rotation, which may be aborted', restarts: 'operator', ...PROMPT },
    { mishaps: ['key leaked', 'abort', 'abort withdrawn'] },
  ),
  variant(LEAK, { name: 'a key leaks, clocks differ', ...SKEWED, restarts: 'operator', late: ['pods'] }),
  variant(LEAK_AMID, { name: 'a key leaks during a rotation, pods restart at any time', ...PROMPT }),
  // With every part late, there would be more states than can be explored.
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
    { name: 'a key leaks during a rotation, pointer to the signer reset', restarts: 'operator', ...PROMPT },
    { mishaps: ['key leaked', 'pointer reset'] },
  ),
  variant(
    LEAK_AMID,
    { name: 'a key leaks during a rotation, a renewal', restarts: 'operator', ...PROMPT },
    { renewals: 1 },
  ),
];

/** Larger worlds: several kinds of trouble together, with more late views. */
export const LARGE: readonly Scenario[] = [
  variant(
    BRIDGE,
    { name: 'over a bridge, everything late, only the operator restarts pods', restarts: 'operator' },
    CALM,
  ),
  variant(LONG_WAY, { name: 'without a bridge, everything late, rolled back' }, { ...CALM, mishaps: ['abort'] }),
  variant(
    LONG_WAY,
    { name: 'without a bridge, pointer to the signer reset, issuer late', late: ['signer', 'issuer'] },
    { ...CALM, mishaps: ['pointer reset'] },
  ),
  variant(
    BRIDGE,
    { name: "over a bridge, with a rollback that may be withdrawn, the old anchor's Secret lost", keys: 3, ...PROMPT },
    { ...CALM, mishaps: ['abort', 'abort withdrawn', 'old secret lost'] },
  ),
  variant(
    LONG_WAY,
    {
      name: "without a bridge, with a rollback that may be withdrawn, the old anchor's Secret lost",
      keys: 3,
      ...PROMPT,
    },
    { ...CALM, mishaps: ['abort', 'abort withdrawn', 'old secret lost'] },
  ),
  variant(BRIDGE, { name: 'over a bridge, writes interleaved', writes: 'interleaved' }, CALM),
  variant(BRIDGE, { name: 'over a bridge, a renewal at any time' }, { renewals: 1, identityRestarts: 0 }),
  variant(BRIDGE, { name: 'over a bridge, identity restarts' }, { renewals: 0, identityRestarts: 1 }),
  variant(
    BRIDGE,
    { name: 'over a bridge, a renewal and a restart, nothing late', ...PROMPT },
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
  variant(BRIDGE, { name: 'over a bridge, clocks of two operators differ', ...SKEWED, late: ['pods'] }, CALM),
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
    { name: 'over a bridge, pointer to the signer reset, a renewal', ...PROMPT },
    { renewals: 1, identityRestarts: 0, mishaps: ['pointer reset'] },
  ),
  variant(
    BRIDGE,
    { name: 'over a bridge, label removed, a renewal', ...PROMPT },
    { renewals: 1, identityRestarts: 0, mishaps: ['label removed'] },
  ),
  variant(
    BRIDGE,
    { name: 'over a bridge, rolled back, pointer to the signer deleted', ...PROMPT },
    { ...CALM, mishaps: ['abort', 'pointer deleted'] },
  ),
  variant(
    BRIDGE,
    { name: 'over a bridge, label and Issuer lost', ...PROMPT },
    { ...CALM, mishaps: ['label removed', 'issuer deleted'] },
  ),
  variant(
    LONG_WAY,
    { name: 'without a bridge, a renewal and a restart, issuer and identity late', late: ['issuer', 'identity'] },
    { renewals: 1, identityRestarts: 1 },
  ),
  variant(LONG_WAY, { name: 'without a bridge, writes interleaved', writes: 'interleaved' }, CALM),
  variant(
    LONG_WAY,
    { name: 'without a bridge, views late by two ticks', policy: { ...TICKS, lag: 2, leafReach: 1 } },
    { renewals: 0, identityRestarts: 1 },
  ),
  variant(
    LONG_WAY,
    { name: 'without a bridge, clocks differ, pods late', ...SKEWED, late: ['pods'] },
    { renewals: 0, identityRestarts: 1 },
  ),
  variant(
    LONG_WAY,
    { name: 'without a bridge, memory lost, a renewal', ...PROMPT },
    { renewals: 1, identityRestarts: 0, mishaps: ['memory lost'] },
  ),
  variant(
    LONG_WAY,
    { name: 'without a bridge, rolled back, pointer to the signer reset, a renewal', ...PROMPT },
    { renewals: 1, identityRestarts: 0, mishaps: ['abort', 'pointer reset'] },
  ),
  variant(FIRST, { name: 'the first anchor, issuer and identity late', late: ['issuer', 'identity'] }),
  variant(
    ELSEWHERE,
    {
      name: 'an external anchor, the bridge signed in time, too late or wrongly, anchors late',
      hasDeadline: true,
      late: ['anchors'],
    },
    { mishaps: ['wrong answer', 'answer reverted'] },
  ),
  variant(
    ELSEWHERE,
    { name: 'an external anchor, writes interleaved', hasDeadline: true, writes: 'interleaved', ...PROMPT },
    { mishaps: ['answer reverted'] },
  ),
  variant(
    ELSEWHERE,
    { name: 'an external anchor, with a rollback that may be withdrawn, memory lost', hasDeadline: true, ...PROMPT },
    { mishaps: ['abort', 'abort withdrawn', 'memory lost'] },
  ),
  variant(
    ELSEWHERE,
    { name: 'an external anchor, a renewal and a restart', hasDeadline: true, ...PROMPT },
    { renewals: 1, identityRestarts: 1 },
  ),
  variant(HALF_DONE, { name: 'found half done, memory lost', ...PROMPT }, { ...CALM, mishaps: ['memory lost'] }),
];

const LATE_PODS = variant(
  LONG_WAY,
  { ...PROMPT, late: ['pods'], policy: { ...TICKS, lag: 2, leafReach: 1 } },
  { renewals: 0, identityRestarts: 1 },
);

/** For each guard, a small world in which a mesh breaks without it. Some start in the middle of a rotation. */
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

/** For each bad order, a world in which it breaks a mesh. */
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
