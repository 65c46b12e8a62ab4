import { type AnchorKey, UNKNOWN_SIGNER } from './chain';
import { type AnchorMemory, MAX_VOUCHINGS, type Vouching } from './memory';
import type { ObservedMember, ObservedTrust } from './observed';
import { anchorsAt, isCompromised, namedMembers } from './policy';

/**
 * Effects of a leaked key on other trust anchors. An attacker with the key can also present the certificates that other
 * anchors issued for it. A proxy that trusts one of these anchors accepts the attacker's leaves while that certificate
 * is valid. So these anchors must be replaced, too, although their own keys are safe.
 */

/**
 * Returns which anchors certified which, as far as something in this cluster may trust them, directly or over other
 * anchors. A certificate stays valid long after it has left the cluster, and its key may leak at any time.
 */
export function vouchings(observed: ObservedTrust, { bundles }: Pick<AnchorMemory, 'bundles'>): readonly Vouching[] {
  const trusted = new Set([...trustedKeys(observed, { bundles }), ...ownKeys(observed, observed.memory)]);
  const below = reachable(trusted, allVouchings(observed), ({ by, key }) => [by, key]);
  return below.found.slice(0, MAX_VOUCHINGS);
}

/** Returns the anchors that must be replaced although their own keys have not leaked. */
export function vouchersFor(keys: readonly AnchorKey[], observed: ObservedTrust): readonly AnchorKey[] {
  const { reached } = reachable(keys, allVouchings(observed), ({ by, key }) => [key, by]);
  return [...reached].filter((key) => !keys.includes(key));
}

/** Follows vouchings in one direction: returns the keys that it reaches, and the vouchings on the way, each once. */
function reachable(
  from: Iterable<AnchorKey>,
  all: readonly Vouching[],
  step: (one: Vouching) => readonly [from: AnchorKey, to: AnchorKey],
): { readonly reached: ReadonlySet<AnchorKey>; readonly found: readonly Vouching[] } {
  const reached = new Set(from);
  const found = new Map<string, Vouching>();
  for (let size = -1; size < found.size; ) {
    size = found.size;
    for (const one of all) {
      const [before, after] = step(one);
      if (!reached.has(before)) continue;
      found.set(`${one.key}<${one.by}`, one);
      reached.add(after);
    }
  }
  return { reached, found: [...found.values()] };
}

/**
 * Returns all vouchings, this cluster's own first: reports of other clusters must not use up the limit of the memory.
 */
function allVouchings(observed: ObservedTrust): readonly Vouching[] {
  return [...seenVouchings(observed), ...(observed.memory.vouched ?? []), ...reportedVouchings(observed)];
}

/** Returns the vouchings in reports of other clusters, without those by own anchors, which this cluster records. */
function reportedVouchings(observed: ObservedTrust): readonly Vouching[] {
  const own = ownKeys(observed, observed.memory);
  return namedMembers(observed).flatMap(({ vouched = [] }) => vouched.filter(({ by }) => !own.has(by)));
}

/** Whether an anchor has to be replaced: its key leaked, or it certified a key that leaked. */
export function mustGo(observed: ObservedTrust, key: AnchorKey | undefined): boolean {
  if (key === undefined) return false;
  const { policy, memory } = observed;
  if (isCompromised(observed, key)) return true;
  const { rotation } = memory;
  // A rotation to a key that leaked is rolled back first.
  if (rotation?.from === key && isCompromised(observed, rotation.key)) return false;
  return vouchersFor(policy.compromised ?? [], observed).includes(key);
}

function seenVouchings({ anchors, issuer, bundle, certifications = [] }: ObservedTrust): readonly Vouching[] {
  const keyOf = (generation: number | undefined): AnchorKey | undefined =>
    anchors.find((one) => one.generation === generation)?.certificate?.key;
  const certificates = [
    ...anchors.flatMap(({ certificate, above = [] }) => [...(certificate ? [certificate] : []), ...above]),
    ...(issuer.chain?.bridges ?? []),
    ...(bundle?.anchors ?? []),
  ].map(({ key, signer }) => ({ key, by: signer }));
  const asked = anchors.map(({ certificate, askedSigner }) => ({
    key: certificate?.key,
    by: typeof askedSigner === 'number' ? keyOf(askedSigner) : undefined,
  }));
  const given = certifications.map(({ key, certificate, generation }) => ({
    key,
    by: certificate?.signer ?? keyOf(generation),
  }));
  return [...certificates, ...asked, ...given].flatMap(({ key, by }) =>
    key === undefined || by === undefined || key === by || by.startsWith(UNKNOWN_SIGNER) ? [] : [{ key, by }],
  );
}

/** Returns the keys that other clusters report as leaked. */
export function reportedKeys(observed: Pick<ObservedTrust, 'members' | 'policy'>): readonly AnchorKey[] {
  return namedMembers(observed).flatMap(({ compromised = [] }) => compromised);
}

/**
 * Returns the other clusters that have not reported that nothing there trusts these keys, or have not reported at all.
 */
export function trustingMembers(
  keys: readonly AnchorKey[],
  { members, policy }: Pick<ObservedTrust, 'members' | 'policy'>,
): readonly Pick<ObservedMember, 'name' | 'updated'>[] {
  return policy.members
    .map((name) => members.find((one) => one.name === name) ?? { name })
    .filter(({ distrusts = [] }: Partial<ObservedMember>) => !keys.every((key) => distrusts.includes(key)));
}

/** Returns which anchors certified which, for this cluster's report: without what other clusters report. */
export function toldVouchings(observed: ObservedTrust, { vouched = [] }: AnchorMemory): readonly Vouching[] {
  const theirs = new Set(reportedVouchings(observed).map(({ key, by }) => `${key}<${by}`));
  return vouched.filter(({ key, by }) => !theirs.has(`${key}<${by}`));
}

/**
 * Returns the reported keys that matter here: pods may trust them, or an anchor of this cluster certified them. A
 * report alone replaces and removes no anchor. Pods restart only to forget an anchor that has left the bundle, or to
 * get the next anchor of the reporting cluster.
 */
export function believedReports(
  reported: readonly AnchorKey[],
  observed: ObservedTrust,
  memory: AnchorMemory,
): readonly AnchorKey[] {
  const trusted = trustedKeys(observed, memory);
  return reported.filter((key) => trusted.has(key));
}

/** Returns the keys that are, or were, of anchors in this mesh. */
export function knownKeys(observed: ObservedTrust, memory: AnchorMemory): ReadonlySet<AnchorKey> {
  return new Set([
    ...trustedKeys(observed, memory),
    ...ownKeys(observed, memory),
    ...observed.members.flatMap(anchorsAt),
    ...(memory.compromised?.keys ?? []),
  ]);
}

function trustedKeys(
  { bundle, kept }: ObservedTrust,
  { bundles, vouched = [] }: Pick<AnchorMemory, 'bundles' | 'vouched'>,
): ReadonlySet<AnchorKey> {
  return new Set([
    ...bundles.flatMap(({ keys }) => keys),
    ...(bundle?.anchors ?? []).map(({ key }) => key),
    ...kept,
    ...vouched.map(({ key }) => key),
  ]);
}

function ownKeys({ anchors, issuer }: ObservedTrust, { current, rotation }: AnchorMemory): ReadonlySet<AnchorKey> {
  const keys = [
    ...anchors.map(({ certificate }) => certificate?.key),
    ...[issuer.chain?.signer, current?.key, rotation?.from, rotation?.key],
  ];
  return new Set(keys.filter((key) => key !== undefined));
}

/** Returns this cluster's own anchors that nothing may trust any longer, for its report. */
export function toldLeaks(observed: ObservedTrust, memory: AnchorMemory): readonly AnchorKey[] {
  const { policy, members } = observed;
  const { compromised, vouched = [] } = memory;
  const leaked = (compromised?.keys ?? []).filter((key) => policy.compromised?.includes(key));
  const certifiers = vouched.flatMap(({ key, by }) => (leaked.includes(key) ? [by] : []));
  const own = ownKeys(observed, memory);
  const theirs = new Set(members.flatMap(({ signing }) => signing));
  return [...new Set([...leaked, ...certifiers])].filter((key) => own.has(key) || !theirs.has(key));
}
