import { type AnchorKey, type Time, verifies } from './chain';
import { anchorsKnownTo } from './knowledge';
import { type AnchorMemory, MAX_OLD_CHAINS, type OldChain } from './memory';
import type { AnchorPolicy, ObservedTrust, PresentedChain } from './observed';
import { leavesTurnedBy } from './times';

/** A proxy whose certificate some proxies refuse. */
export interface RefusedChain {
  readonly pod: string;
  /**
   * - `Invalid`: it presents no certificate for its identity that its issuer signed.
   * - `Expired`: its certificate, or the issuer, is not valid.
   * - `Foreign`: no known anchor signed it.
   * - `Refused`: its chain ends at no root of some bundle that pods carry.
   */
  readonly reason: 'Invalid' | 'Expired' | 'Foreign' | 'Refused';
  /** A workload that refuses it. */
  readonly by?: string;
}

/** The verified pairs of a presented chain and a bundle that pods carry. */
export interface Pairs {
  readonly bundles: number;
  readonly verified: number;
  readonly refused: number;
  /** The proxies of refused pairs. */
  readonly proxies: readonly RefusedChain[];
}

interface CarriedBundle {
  readonly keys: ReadonlySet<AnchorKey>;
  readonly workload: string;
}

/** Verifies each presented chain with each bundle that pods carry. */
export function pairsOf(observed: ObservedTrust, memory: AnchorMemory): Pairs {
  const { probes, policy } = observed;
  const { since, presented = [] } = probes ?? {};
  if (since === undefined) return { bundles: 0, verified: 0, refused: 0, proxies: [] };
  const bundles = carriedBundles(observed, memory);
  const known = knownKeys(observed, memory);
  const results = presented.map((one) => {
    const refusing = bundles.filter(({ keys }) => !isAccepted(one, keys, since, policy));
    return { one, refusing };
  });
  const refused = results.reduce((sum, { refusing }) => sum + refusing.length, 0);
  return {
    bundles: bundles.length,
    verified: presented.length * bundles.length - refused,
    refused,
    proxies: results.flatMap(({ one, refusing: [first] }) =>
      first === undefined ? [] : [refusedChain(one, first, { known, since, policy })],
    ),
  };
}

interface Verifying {
  readonly known: ReadonlySet<AnchorKey>;
  readonly since: Time;
  readonly policy: AnchorPolicy;
}

function refusedChain(
  one: PresentedChain,
  { workload }: CarriedBundle,
  { known, since, policy }: Verifying,
): RefusedChain {
  const { pod, chain } = one;
  if (chain === undefined) return { pod, reason: 'Invalid' };
  if (isAccepted(one, known, since, policy)) return { pod, reason: 'Refused', by: workload };
  const isTimely = times(since, policy).some((time) => chain.notBefore <= time && time < chain.notAfter);
  return { pod, reason: isTimely ? 'Foreign' : 'Expired' };
}

/**
 * Returns the distinct bundles of live pods that the operator remembers: pods with other bundles count as laggards.
 */
function carriedBundles({ pods, policy }: ObservedTrust, { bundles }: AnchorMemory): readonly CarriedBundle[] {
  const carried = new Map<string, CarriedBundle>();
  for (const group of pods) {
    const keys = anchorsKnownTo(group, bundles, policy);
    const id = [...keys].toSorted().join();
    if (keys.size > 0 && !carried.has(id)) carried.set(id, { keys, workload: group.workload });
  }
  return [...carried.values()];
}

function knownKeys({ anchors, bundle, kept }: ObservedTrust, { bundles, rotation }: AnchorMemory): Set<AnchorKey> {
  const keys = [
    ...anchors.map(({ certificate }) => certificate?.key),
    ...(bundle?.anchors ?? []).map(({ key }) => key),
    ...kept,
    ...bundles.flatMap((one) => one.keys),
    rotation?.from,
  ];
  return new Set(keys.filter((key) => key !== undefined));
}

/** Whether some proxy whose clock is right within the allowed skew accepts a chain. */
function isAccepted(
  { chain }: PresentedChain,
  roots: ReadonlySet<AnchorKey>,
  at: Time,
  policy: Pick<AnchorPolicy, 'skew'>,
): boolean {
  return chain !== undefined && times(at, policy).some((time) => verifies(chain, roots, time));
}

function times(at: Time, { skew }: Pick<AnchorPolicy, 'skew'>): readonly Time[] {
  return [at, at - skew, at + skew];
}

/**
 * Whether probes confirm that nothing presents a certificate of the old anchor any more.
 *
 * - `unasked`: probing is off.
 * - `pending`: no round has started since such certificates have expired.
 * - `held`: some proxies present one, or did, and have presented no certificate of the next anchor since.
 * - `unreached`: no proxy answers, perhaps only for a while.
 * - `passed`: no proxy that answers presents one; or no proxy has answered for so long that the wait is over.
 */
export interface Proof {
  readonly state: 'unasked' | 'pending' | 'held' | 'unreached' | 'passed';
  /** With `held`: the pods of these proxies. */
  readonly pods: readonly string[];
  /** Old chains to remember: a later round may not reach their proxies. */
  readonly oldChains: readonly OldChain[];
  /** The time at which the absence of answers is accepted. */
  readonly until?: Time;
}

/** What {@link proofOf} depends on. */
export interface Proving {
  readonly observed: ObservedTrust;
  readonly memory: AnchorMemory;
  /** The next anchor. */
  readonly key: AnchorKey | undefined;
  /** Since when identity has issued only with it; absent if it does not. */
  readonly signing: Time | undefined;
  readonly now: Time;
}

/** Returns the time until which the absence of answers holds a rotation. */
export function unreachedUntil(signing: Time, policy: AnchorPolicy): Time {
  return leavesTurnedBy(signing, policy) + policy.patience;
}

/** Decides by the results of probes whether the old anchor may be removed. */
export function proofOf({ observed, memory, key, signing, now }: Proving): Proof {
  const { probes, policy } = observed;
  if (probes === undefined || !probes.gates) return { state: 'unasked', pods: [], oldChains: [] };
  const before = (memory.rotation?.oldChains ?? []).filter(({ until }) => now < until);
  if (key === undefined || signing === undefined) return { state: 'unasked', pods: [], oldChains: before };
  const { since, presented, unreached } = probes;
  if (since === undefined || since < leavesTurnedBy(signing, policy)) {
    return { state: 'pending', pods: [], oldChains: before };
  }
  const [known, next] = [knownKeys(observed, memory), new Set([key])];
  const isGood = (one: PresentedChain): boolean => isAccepted(one, next, since, policy);
  const good = new Set(presented.filter(isGood).map(({ pod }) => pod));
  const others = presented.filter((one) => !isGood(one) && isEvidence(one, known, since, policy));
  const oldChains = remembered(before, { good, others, now, policy });
  const pods = [...new Set([...others, ...oldChains].map(({ pod }) => pod))];
  if (pods.length > 0) return { state: 'held', pods, oldChains };
  const until = unreachedUntil(signing, policy);
  const isAlone = presented.length === 0 && unreached.length > 0;
  return isAlone && now < until ? { state: 'unreached', pods, oldChains, until } : { state: 'passed', pods, oldChains };
}

interface Answers {
  /** Pods that present a certificate of the next anchor. */
  readonly good: ReadonlySet<string>;
  /** Chains that show that the old anchor is in use. */
  readonly others: readonly PresentedChain[];
  readonly now: Time;
  readonly policy: Pick<AnchorPolicy, 'skew'>;
}

/** Returns the old chains that are known after a round: up to a limit, those that are valid for longest. */
function remembered(
  before: readonly OldChain[],
  { good, others, now, policy: { skew } }: Answers,
): readonly OldChain[] {
  const found = others.flatMap(({ pod, chain }) => {
    const until = (chain?.notAfter ?? 0) + skew;
    return now < until ? [{ pod, until }] : [];
  });
  const asked = new Set([...good, ...found.map(({ pod }) => pod)]);
  return [...found, ...before.filter(({ pod }) => !asked.has(pod))]
    .toSorted((a, b) => b.until - a.until)
    .slice(0, MAX_OLD_CHAINS);
}

/**
 * Whether a chain that does not lead to the next anchor shows that the old one is in use. A chain of no known anchor,
 * or an expired one, is refused with or without the old anchor, so it shows nothing: anyone who may create a pod can
 * present one. Only identity makes certificates that lead to an anchor, and they expire.
 */
function isEvidence(
  one: PresentedChain,
  known: ReadonlySet<AnchorKey>,
  since: Time,
  policy: Pick<AnchorPolicy, 'skew'>,
): boolean {
  return one.isTrusted === true || isAccepted(one, known, since, policy);
}
