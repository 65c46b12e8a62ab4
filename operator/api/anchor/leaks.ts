import { type AnchorKey, UNKNOWN_SIGNER } from './chain';
import { type AnchorMemory, MOST_VOUCHINGS, type Vouching } from './memory';
import type { ObservedTrust } from './observed';
import { isCompromised } from './policy';

/**
 * What a leaked key makes of other anchors. Its owner also presents the certificates that others issued for it: a proxy
 * that trusts one of those anchors accepts what he signs, for as long as the certificate is valid. Such an anchor has to
 * go, too, although its own key is safe.
 */

/** Returns which anchors certified these keys, directly or through others. */
export function vouchingsFor(keys: readonly AnchorKey[], observed: ObservedTrust): readonly Vouching[] {
  const all = [...(observed.memory.vouched ?? []), ...seenVouchings(observed)];
  const reached = new Set(keys);
  const found = new Map<string, Vouching>();
  for (let size = -1; size < found.size; ) {
    size = found.size;
    for (const one of all) {
      if (!reached.has(one.key)) continue;
      found.set(`${one.key}<${one.by}`, one);
      reached.add(one.by);
    }
  }
  return [...found.values()].slice(0, MOST_VOUCHINGS);
}

/** Returns the anchors that have to go although nobody else has their keys. */
export function vouchersFor(keys: readonly AnchorKey[], observed: ObservedTrust): readonly AnchorKey[] {
  const by = vouchingsFor(keys, observed).map((one) => one.by);
  return [...new Set(by)].filter((key) => !keys.includes(key));
}

/** Whether an anchor has to be replaced: its key leaked, or it certified one that did. */
export function mustGo(observed: ObservedTrust, key: AnchorKey | undefined): boolean {
  if (key === undefined) return false;
  const { policy, memory } = observed;
  if (isCompromised(observed, key)) return true;
  const { rotation } = memory;
  // A rotation to a key that leaked is rolled back first.
  if (rotation?.from === key && isCompromised(observed, rotation.key)) return false;
  return vouchersFor(policy.compromised ?? [], observed).includes(key);
}

/** Returns which anchors certify others, or were asked to. */
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
export function reportedKeys({ members, policy }: Pick<ObservedTrust, 'members' | 'policy'>): readonly AnchorKey[] {
  return members.flatMap(({ name, compromised = [] }) => (policy.members.includes(name) ? compromised : []));
}

/**
 * Returns those of the reported keys that matter here: pods may have them, or an anchor of this cluster certified them.
 * A report replaces no anchor, and removes none: pods restart to forget what has already left the bundle, or to know
 * the next anchor of the cluster that reports it.
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
    ...observed.members.flatMap(({ roots = [], signing }) => [...roots, ...signing]),
    ...(memory.compromised?.keys ?? []),
  ]);
}

/** Returns the keys that pods may have in a bundle, or that an anchor of this cluster certified. */
function trustedKeys({ bundle, kept }: ObservedTrust, { bundles, vouched = [] }: AnchorMemory): ReadonlySet<AnchorKey> {
  return new Set([
    ...bundles.flatMap(({ keys }) => keys),
    ...(bundle?.anchors ?? []).map(({ key }) => key),
    ...kept,
    ...vouched.map(({ key }) => key),
  ]);
}

/** Returns the keys of this cluster's own anchors, those of its rotation and of its issuer among them. */
function ownKeys({ anchors, issuer }: ObservedTrust, { current, rotation }: AnchorMemory): ReadonlySet<AnchorKey> {
  const keys = [
    ...anchors.map(({ certificate }) => certificate?.key),
    ...[issuer.chain?.signer, current?.key, rotation?.from, rotation?.key],
  ];
  return new Set(keys.filter((key) => key !== undefined));
}

/** Returns this cluster's own anchors that nothing is to trust any longer, for its report. */
export function toldLeaks(observed: ObservedTrust, memory: AnchorMemory): readonly AnchorKey[] {
  const { policy, members } = observed;
  const { compromised, vouched = [] } = memory;
  const named = (compromised?.keys ?? []).filter((key) => policy.compromised?.includes(key));
  const certifiers = vouched.flatMap(({ key, by }) => (named.includes(key) ? [by] : []));
  const own = ownKeys(observed, memory);
  const theirs = new Set(members.flatMap(({ signing }) => signing));
  return [...new Set([...named, ...certifiers])].filter((key) => own.has(key) || !theirs.has(key));
}
