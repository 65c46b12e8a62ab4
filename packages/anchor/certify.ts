import { SHORTER } from './answers';
import { certifyingMember } from './certified';
import { type AnchorKey, type CaCertificate, isBridge, type Time } from './chain';
import type { AnchorMemory } from './memory';
import type { MemberRequest, ObservedAnchor, ObservedCertification, ObservedMember, ObservedTrust } from './observed';
import type { AnchorAction, Milestone } from './plan';
import { isCompromised } from './policy';
import { endOfRoot } from './rotation-target';
import type { CertifiedCluster } from './trust-anchor';
import { anchorOf } from './way';

/** What a cluster does for the clusters whose trust anchors it certifies. */
export interface Certifying {
  readonly actions: readonly AnchorAction[];
  readonly milestones: readonly Milestone[];
  /** The anchor that certifies now; absent if none does. */
  readonly certifier?: AnchorKey;
  /** The clusters that have a valid certificate. */
  readonly answers: readonly string[];
}

/** Certifies the anchors of clusters that request it and that the policy names. */
export function certifyMembers(observed: ObservedTrust, memory: AnchorMemory, now: Time): Certifying {
  const { certifies = [] } = observed.policy;
  const certifier = certifies.length === 0 ? undefined : certifyingKey(observed, memory);
  // An anchor whose key leaked certifies nothing.
  const anchor = isCompromised(observed, certifier) ? undefined : anchorOf(observed, certifier);
  if (certifier === undefined || anchor === undefined) return { actions: [], milestones: [], answers: [] };
  const parts = certifies.map((cluster) => certifyOne(cluster, { observed, certifier, anchor, now }));
  return {
    actions: parts.flatMap(({ actions = [] }) => actions),
    milestones: wrongMilestone(parts.flatMap(({ wrong }) => wrong ?? [])),
    certifier,
    answers: parts.flatMap(({ answer }) => answer ?? []),
  };
}

/**
 * Returns the anchor that certifies: the old one, until all pods of all clusters trust the new one and the rotation
 * cannot be rolled back.
 */
function certifyingKey({ issuer }: ObservedTrust, { rotation }: AnchorMemory): AnchorKey | undefined {
  if (rotation?.certifies || rotation?.retiring) return rotation.key;
  return rotation?.from ?? issuer.chain?.signer;
}

interface Certifier {
  readonly observed: ObservedTrust;
  readonly certifier: AnchorKey;
  readonly anchor: ObservedAnchor;
  readonly now: Time;
}

interface Part {
  readonly actions?: readonly AnchorAction[];
  readonly answer?: string;
  readonly wrong?: string;
}

function certifyOne(named: CertifiedCluster, by: Certifier): Part {
  const { cluster } = named;
  const { members, certifications = [] } = by.observed;
  const member = members.find(({ name }) => name === cluster);
  const made = certifications.find((one) => one.cluster === cluster);
  const isOf = (one: ObservedCertification, key: AnchorKey): boolean =>
    one.key === key && one.generation === by.anchor.generation;
  const request = member?.request;
  if (made !== undefined && leakOf(made.key, member, by) !== undefined) return { actions: [withdrawal(cluster)] };
  if (member === undefined || request === undefined) {
    const isGiven = made !== undefined && member?.signing.includes(made.key) && isOf(made, made.key);
    return isGiven && flawOf(made, named, by) === undefined ? { answer: cluster } : {};
  }
  const refused = refusal(request, member, named) ?? leakOf(request.key, member, by);
  if (refused !== undefined) return { wrong: `the request of cluster ${cluster} is refused: ${refused}` };
  if (made === undefined) return { actions: requestActions(cluster, by) };
  if (!isOf(made, request.key) || isWronglyTimed(made, by)) return { actions: [withdrawal(cluster)] };
  return made.state === 'issuing' ? {} : givenOut(made, named, by);
}

/** Reports a wrong certificate, and removes it after a while, so that cert-manager signs again. */
function givenOut(made: ObservedCertification, named: CertifiedCluster, by: Certifier): Part {
  const { cluster } = named;
  const flaw = flawOf(made, named, by);
  if (flaw === undefined) return { answer: cluster };
  const wrong = `the certificate for cluster ${cluster} is withheld: ${flaw}`;
  // The cause may be gone by now: for example, the anchor's key was lost, and another one created.
  const isOld = by.now >= made.since + RETRY_PATIENCES * by.observed.policy.patience;
  return { wrong, ...(isOld && { actions: [withdrawal(cluster)] }) };
}

/** How long a wrong certificate stays before it is made again: an hour by default. */
const RETRY_PATIENCES = 10;

function withdrawal(cluster: string): AnchorAction {
  return { do: 'withdraw-certificate', cluster };
}

function refusal(
  { key, subject, isKeySupported, isNamesake, ...constraint }: MemberRequest,
  { signing }: ObservedMember,
  { trustDomain }: CertifiedCluster,
): string | undefined {
  if (!signing.includes(key) || subject === '') return 'it is not for an anchor with which that cluster signs';
  if (!isKeySupported) return 'its key is neither ECDSA P-256 nor RSA with 2048 or 4096 bits';
  if (isNamesake) return 'another CA here has the same subject: give the anchors of that cluster another common name';
  return trustDomain === undefined || isOnly(trustDomain, constraint)
    ? undefined
    : `it is not constrained to the trust domain ${trustDomain}: set bridge.trustDomain in its TrustAnchor (in a program, bridge: { constrained: true })`;
}

/** Certificates for a leaked key stay valid until they expire: the operator must not give out any. */
function leakOf(key: AnchorKey, member: ObservedMember | undefined, { observed }: Certifier): string | undefined {
  const isLeaked = isCompromised(observed, key) || member?.compromised?.includes(key) === true;
  return isLeaked ? 'its key leaked' : undefined;
}

/** Whether a constraint permits only the identities of one trust domain, as DNS names and as URIs. */
function isOnly(trustDomain: string, { permits, limitsUris }: Pick<CaCertificate, 'permits' | 'limitsUris'>): boolean {
  return permits?.length === 1 && permits[0] === trustDomain && limitsUris === true;
}

function requestActions(cluster: string, { observed, certifier, anchor, now }: Certifier): readonly AnchorAction[] {
  const { generation, hasIssuer } = anchor;
  if (!hasIssuer) return [{ do: 'apply-issuer', generation }];
  const left = (endOfItself(observed, certifier) ?? now) - now;
  // The other cluster refuses a certificate that ends after the anchor, and cert-manager may sign it late.
  const margin = Math.max(observed.policy.lag, Math.min(SHORTER / 2, left / 20));
  const duration = Math.min(observed.policy.duration, left - margin);
  return duration > 0 ? [{ do: 'certify', cluster, generation, duration }] : [];
}

/** Returns the expiry of an anchor's self-signed certificate, which other clusters have: a bridge may end later. */
function endOfItself(observed: ObservedTrust, key: AnchorKey): Time | undefined {
  const roots = (observed.bundle?.anchors ?? []).filter((one) => one.key === key && !isBridge(one));
  return roots.length === 0 ? endOfRoot(observed, key) : Math.max(...roots.map(({ notAfter }) => notAfter));
}

/**
 * Whether cert-manager must sign again: the anchor was extended, so a new certificate could last much longer; or
 * cert-manager signed so late that the certificate ends after the anchor.
 */
function isWronglyTimed(made: ObservedCertification, by: Certifier): boolean {
  const end = endOfItself(by.observed, by.certifier);
  const { certificate } = made;
  const isShort = certificate !== undefined && end !== undefined && end > certificate.notAfter + SHORTER;
  return isShort || endsLate(made, by);
}

/** Whether a certificate ends after the anchor that signed it: the cluster that requested it refuses it. */
function endsLate({ certificate }: ObservedCertification, { observed, certifier }: Certifier): boolean {
  const end = endOfItself(observed, certifier);
  return certificate?.signer === certifier && end !== undefined && certificate.notAfter > end;
}

function flawOf(made: ObservedCertification, { trustDomain }: CertifiedCluster, by: Certifier): string | undefined {
  const { state, key, certificate } = made;
  if (state === 'failed' || certificate === undefined) return `cert-manager did not sign it`;
  if (certificate.key !== key || certificate.signer !== by.certifier)
    return 'it is for another key, or another anchor signed it';
  if (endsLate(made, by)) return 'it ends after the anchor that signed it';
  if (certificate.unusable || certificate.pathLength === 0) return 'it cannot sign the issuers of that cluster';
  return isUnconstrained(certificate, trustDomain)
    ? 'cert-manager left out the name constraint: it needs version 1.17, or the feature gate NameConstraints'
    : undefined;
}

function isUnconstrained(certificate: CaCertificate, trustDomain: string | undefined): boolean {
  return trustDomain !== undefined && !isOnly(trustDomain, certificate);
}

function wrongMilestone(wrong: readonly string[]): readonly Milestone[] {
  if (wrong.length === 0) return [];
  return [{ type: 'Certifies', status: false, reason: 'Refused', message: wrong.join('; '), isWrong: true }];
}

/**
 * Whether this cluster's proxies accept a member's certificates without its root, because this cluster, or the hub of
 * both clusters, certified the member's anchors. With a name constraint, the member's own root, which has none, must
 * not get into the bundle.
 */
export function isWithoutRoot(
  { name, isCovered, certifiers = [] }: ObservedMember,
  { policy, anchors, members }: Pick<ObservedTrust, 'policy' | 'anchors' | 'members'>,
): boolean {
  const named = policy.certifies?.find(({ cluster }) => cluster === name);
  const isOfHub = policy.certifiedBy !== undefined && policy.certifiedBy !== name;
  if (named === undefined && !isOfHub) return false;
  if ((isOfHub ? policy : named)?.trustDomain !== undefined) return true;
  const hub = isOfHub ? certifyingMember({ policy, members }) : undefined;
  const roots = hub?.roots ?? anchors.flatMap(({ certificate }) => certificate?.key ?? []);
  return isCovered === true && certifiers.length > 0 && certifiers.every((key) => roots.includes(key));
}

/** Whether no certificate of a member chains to the old anchor, and all chain to the next one if that certifies. */
export function hasMoved(
  { name, certifiers = [], certified = [] }: ObservedMember,
  { policy }: Pick<ObservedTrust, 'policy'>,
  { from, key }: { readonly from: AnchorKey | undefined; readonly key: AnchorKey | undefined },
): boolean {
  if (from !== undefined && certifiers.includes(from)) return false;
  const isNamed = policy.certifies?.some(({ cluster }) => cluster === name) === true;
  return !isNamed || (key !== undefined && certified.includes(key));
}
