import { acceptedAnswer, answerFlaw, leastEnd, SHORTER } from './answers';
import { type AnchorKey, type Time, UNKNOWN_SIGNER } from './chain';
import { type AnchorMemory, MAX_CERTIFIERS, type RememberedCertifier } from './memory';
import type { ObservedAnchor, ObservedMember, ObservedTrust } from './observed';
import type { AnchorAction, Milestone } from './plan';
import { anchorsAt, isCompromised } from './policy';
import { endOfRoot, signingAnchor } from './rotation-target';
import { leavesTurnedBy, settledBy } from './times';
import { bridgeEnd, isBridged, leadsTo } from './way';

/**
 * A cluster may have its trust anchors certified by another cluster, whose proxies then accept certificates of these
 * anchors without their roots. The request is in the cluster's report, and the answer in the other cluster's report.
 * The cluster works without an answer, and accepts one at any time.
 */

type Remembering = Pick<AnchorMemory, 'certification' | 'issuer'>;

/**
 * Returns the other cluster's anchor that should certify the anchors of this cluster; undefined if no report names one.
 * Ignores an anchor that no longer certifies this cluster's anchors (it has an `until`), even if an old report still
 * names it.
 */
export function certifierOf(observed: ObservedTrust, { certification }: Remembering): AnchorKey | undefined {
  const { certifier, roots = [] } = certifyingMember(observed) ?? {};
  if (certifier === undefined || !roots.includes(certifier)) return undefined;
  const isGone = certification?.by.some(({ key, until }) => key === certifier && until !== undefined);
  return isGone || isCompromised(observed, certifier) ? undefined : certifier;
}

/** Returns the report of the cluster that certifies the anchors of this one, the hub. */
export function certifyingMember({
  policy,
  members,
}: Pick<ObservedTrust, 'policy' | 'members'>): ObservedMember | undefined {
  return members.find(({ name }) => name === policy.certifiedBy);
}

/** Whether the other cluster's present anchor certified this one: a longer path would keep an older anchor in use. */
export function isCertified(anchor: ObservedAnchor, observed: ObservedTrust, memory: Remembering, now: Time): boolean {
  const certifier = certifierOf(observed, memory);
  return anchor.certificate?.signer === certifier && isBridged(anchor, certifier, observed, now);
}

/** Whether the certificates that identity issues chain to the other cluster's anchor. */
function isChained(observed: ObservedTrust, memory: Remembering, now: Time): boolean {
  return leadsTo(observed, certifierOf(observed, memory), now);
}

/**
 * Whether the certificates that identity issues chain to the present certifier, or to an earlier one. The rotation then
 * waits for the next certificate even while no report names a certifier: without it, the other cluster's proxies refuse
 * certificates of this cluster.
 */
export function isLinked(observed: ObservedTrust, memory: Remembering, now: Time): boolean {
  if (observed.policy.certifiedBy === undefined) return false;
  const { by = [] } = memory.certification ?? {};
  const isLed = (key: AnchorKey): boolean => !isCompromised(observed, key) && leadsTo(observed, key, now);
  return isChained(observed, memory, now) || by.some(({ key }) => isLed(key));
}

/** Sends the request for an anchor's certificate to the other cluster, and passes the answer to cert-manager. */
export function certifyingActions(
  anchor: ObservedAnchor,
  observed: ObservedTrust,
  memory: Remembering,
  now: Time,
): readonly AnchorAction[] {
  const { generation, askedSigner, state, request, bundled } = anchor;
  const certifier = certifierOf(observed, memory);
  // Generation 0 was created without the operator, which does not change it: the next generation is certified.
  if (certifier === undefined || generation === 0 || askedSigner === 'other') return [];
  if (request !== undefined) {
    const answer = acceptedAnswer(request, { observed, rotation: { from: certifier }, now });
    if (answer === undefined) return [];
    return [{ do: 'answer-request', generation, certificates: answer.map(({ id }) => id), signer: certifier }];
  }
  if (state !== 'issued') return [];
  if (askedSigner !== 'request') return [{ do: 'apply-anchor', generation, signer: 'request', bundled }];
  const isDue = !isCertified(anchor, observed, memory, now) || isShort(anchor, certifier, observed, now);
  return isDue ? [{ do: 'renew-anchor', generation }] : [];
}

/** Whether a certificate expires too soon and could last longer, because the other cluster extended its anchor. */
function isShort(anchor: ObservedAnchor, certifier: AnchorKey, observed: ObservedTrust, now: Time): boolean {
  const end = bridgeEnd(anchor, certifier) ?? 0;
  const longest = endOfRoot(observed, certifier) ?? end;
  return end < leastEnd({ observed, rotation: { from: certifier }, now }) && longest > end + SHORTER;
}

/** Returns what to do for certification while no rotation is in progress. */
export function certificationAtRest(observed: ObservedTrust, memory: Remembering, now: Time): readonly AnchorAction[] {
  const anchor = signingAnchor(observed);
  if (anchor === undefined) return [];
  const { generation, askedSigner, bundled } = anchor;
  if (observed.policy.certifiedBy === undefined) {
    // The policy no longer names a cluster that certifies.
    return askedSigner === 'request' ? [{ do: 'apply-anchor', generation, signer: 'self', bundled }] : [];
  }
  const { issuer, signer } = observed;
  const isReady = issuer.state === 'issued' && signer === generation && isCertified(anchor, observed, memory, now);
  const lacksBridge = isReady && !isChained(observed, memory, now);
  return [
    ...certifyingActions(anchor, observed, memory, now),
    ...(lacksBridge ? [{ do: 'renew-issuer', revision: issuer.revision } as const] : []),
  ];
}

/**
 * Records the other cluster's anchors to which certificates in use in this cluster chain. Each counts until the last of
 * these certificates has expired.
 */
export function rememberedCertification(
  observed: ObservedTrust,
  memory: Remembering,
  now: Time,
): Pick<AnchorMemory, 'certification'> {
  const { since: sinceBefore, by: before = [] } = memory.certification ?? {};
  if (observed.policy.certifiedBy === undefined && before.length === 0) return {};
  const inUse = keysInUse(observed, memory, before);
  // An anchor that the other cluster offers may certify again, so it gets no `until`, which is final.
  const offered = certifyingMember(observed)?.certifier;
  const proven = isProven(observed, memory, now);
  const by = [...new Set([...before.map(({ key }) => key), ...inUse])].map((key): RememberedCertifier => {
    const { since, until } = before.find((one) => one.key === key) ?? {};
    return {
      key,
      ...sinceIf(leadsTo(observed, key, now), since, proven ? now : undefined),
      ...(!inUse.has(key) &&
        untilOf(until, proven && key !== offered ? leavesTurnedBy(now, observed.policy) : undefined)),
    };
  });
  const isLed = by.some(({ key }) => leadsTo(observed, key, now));
  return {
    certification: { ...sinceIf(isLed, sinceBefore, proven ? now : undefined), by: by.slice(-MAX_CERTIFIERS) },
  };
}

function sinceIf(isSo: boolean, since: Time | undefined, now: Time | undefined): { readonly since?: Time } {
  const from = since ?? now;
  return isSo && from !== undefined ? { since: from } : {};
}

function untilOf(before: Time | undefined, until: Time | undefined): { readonly until?: Time } {
  const end = before ?? until;
  return end === undefined ? {} : { until: end };
}

/** Whether identity issues with the present issuer, and no replica can still start with an earlier one. */
function isProven({ issuer, policy }: ObservedTrust, memory: Remembering, now: Time): boolean {
  const { takenUp, seen, revision } = memory.issuer ?? {};
  const isPresent = issuer.state === 'issued' && revision === (issuer.revision ?? 0);
  return isPresent && takenUp !== undefined && seen !== undefined && now >= settledBy(seen, policy);
}

function keysInUse(
  observed: ObservedTrust,
  memory: Remembering,
  before: readonly RememberedCertifier[],
): ReadonlySet<AnchorKey> {
  const { anchors, issuer, members } = observed;
  const theirs = new Set([...before.map(({ key }) => key), ...members.flatMap(anchorsAt)]);
  const certificates = [
    ...anchors.flatMap(({ certificate, above = [] }) => [...(certificate ? [certificate] : []), ...above]),
    ...(issuer.chain?.bridges ?? []),
  ];
  const own = new Set(anchors.flatMap(({ certificate }) => certificate?.key ?? []));
  const signers = certificates.map(({ signer }) => signer).filter((key) => theirs.has(key) && !own.has(key));
  // The signer's root is unknown: it may be any of the earlier certifiers.
  const isUnclear = certificates.some(({ signer }) => signer.startsWith(UNKNOWN_SIGNER));
  const isAsking = anchors.some(({ request }) => request !== undefined);
  const asked = isAsking ? certifierOf(observed, memory) : undefined;
  return new Set([
    ...signers,
    ...(asked === undefined ? [] : [asked]),
    ...(isUnclear ? before.map(({ key }) => key) : []),
  ]);
}

/** Whether another cluster depends on identity using the present issuer, and this is not proven yet. */
export function awaitsProof(observed: ObservedTrust, memory: Remembering, now: Time): boolean {
  const { since, by = [] } = memory.certification ?? {};
  if (by.length === 0) return false;
  const inUse = keysInUse(observed, memory, by);
  const isOpen = (one: RememberedCertifier): boolean =>
    one.since === undefined && one.until === undefined && (leadsTo(observed, one.key, now) || !inUse.has(one.key));
  return (since === undefined && isChained(observed, memory, now)) || by.some(isOpen);
}

/** Whether it is unproven to which anchors certificates chain: observations must be as current as in a rotation. */
export function isUnproven({ certification }: Pick<AnchorMemory, 'certification'>): boolean {
  return certification?.by.some(({ since, until }) => since === undefined && until === undefined) === true;
}

/** Returns the times at which the record of certifiers changes without a new observation. */
export function certificationTimes({ policy }: ObservedTrust, memory: Remembering): readonly Time[] {
  const { since, by = [] } = memory.certification ?? {};
  const ends = [since, ...by.map((one) => one.since)]
    .flatMap((from) => from ?? [])
    .map((from) => leavesTurnedBy(from, policy));
  const settled = by.length === 0 || memory.issuer === undefined ? [] : [settledBy(memory.issuer.seen, policy)];
  return [...ends, ...by.flatMap(({ until }) => until ?? []), ...settled];
}

interface ToldCertification {
  readonly certifiers?: readonly AnchorKey[];
  readonly certified?: readonly AnchorKey[];
  readonly isCovered?: true;
  readonly asks?: number;
}

/** Returns the part of this cluster's report that the certifying cluster reads. */
export function toldCertification(
  { anchors, policy }: ObservedTrust,
  { certification }: Remembering,
  now: Time,
): ToldCertification {
  const { since, by = [] } = certification ?? {};
  const isTurned = (from: Time | undefined): boolean => from !== undefined && now >= leavesTurnedBy(from, policy);
  // An anchor with a lost Secret has a request, too: for a new key that signs nothing yet.
  const [asking] = anchors
    .filter(({ request }) => request !== undefined && policy.certifiedBy !== undefined)
    .toSorted((a, b) => b.generation - a.generation);
  const certifiers = by.filter(({ until }) => until === undefined || now < until).map(({ key }) => key);
  return {
    ...(certifiers.length > 0 && { certifiers }),
    ...(certifiers.length > 0 && { certified: by.filter((one) => isTurned(one.since)).map(({ key }) => key) }),
    ...(isTurned(since) && { isCovered: true }),
    ...(asking !== undefined && { asks: asking.generation }),
  };
}

/** Returns the milestone of a cluster whose anchors another cluster certifies. */
export function certifiedMilestones(observed: ObservedTrust, memory: Remembering, now: Time): readonly Milestone[] {
  const { certifiedBy: cluster } = observed.policy;
  if (cluster === undefined) return [];
  const member = certifyingMember(observed);
  if (member === undefined)
    return [
      open('NotReported', `cluster ${cluster} has reported nothing: copy its report to this cluster (AnchorExchange)`),
    ];
  const certifier = certifierOf(observed, memory);
  if (certifier === undefined) return [open('NotOffered', notOffered(cluster, member))];
  const { certified = [] } = toldCertification(observed, memory, now);
  if (certified.includes(certifier)) {
    return [passed(`all certificates of identity chain to the anchor of cluster ${cluster}`)];
  }
  if (isChained(observed, memory, now)) {
    const { since } = memory.certification?.by.find(({ key }) => key === certifier) ?? {};
    const until = since === undefined ? {} : { until: leavesTurnedBy(since, observed.policy) };
    return [{ ...open('Turning', `earlier certificates do not chain to the anchor of cluster ${cluster}`), ...until }];
  }
  return [awaited(observed, certifier, cluster, now)];
}

function notOffered(cluster: string, { certifier, roots = [] }: ObservedMember): string {
  if (certifier === undefined)
    return `cluster ${cluster} names no anchor that certifies this cluster's anchors: add this cluster to spec.certifies there`;
  return roots.includes(certifier)
    ? `the anchor with which cluster ${cluster} certifies leaked, or was replaced: waiting for a report that names another anchor`
    : `the report of cluster ${cluster} lacks the certificate of the anchor with which it certifies`;
}

function awaited(observed: ObservedTrust, certifier: AnchorKey, cluster: string, now: Time): Milestone {
  const request = observed.anchors.find((one) => one.request !== undefined)?.request;
  if (request === undefined)
    return open('Requesting', `waiting for cert-manager to create the request for cluster ${cluster}`);
  const asked = { observed, rotation: { from: certifier }, now };
  if (acceptedAnswer(request, asked) !== undefined)
    return open('Answered', 'waiting for cert-manager to issue the certificate that was returned');
  const flaw = answerFlaw(request, asked);
  const message = `waiting for cluster ${cluster} to certify the request in this cluster's report`;
  // The answer to an earlier request stays in the report until the next answer replaces it.
  return flaw === undefined || flaw.cause === 'stale' || flaw.cause === 'other-key' || flaw.cause === 'signed-by-other'
    ? open('Asked', message)
    : { ...open('WrongAnswer', message), flaw, isWrong: true };
}

function passed(message: string): Milestone {
  return { type: 'Certified', status: true, reason: 'Certified', message };
}

function open(reason: string, message: string): Milestone {
  return { type: 'Certified', status: false, reason, message };
}
