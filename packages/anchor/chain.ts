/** Milliseconds since 1970; ticks in the checker. */
export type Time = number;

/** Identifies what a verifier uses of a root: hash of subject and public key. Equal for an anchor and its bridge. */
export type AnchorKey = string;

/** Prefix of the key of a signer whose certificate is unknown: such a key equals the key of no anchor. */
export const UNKNOWN_SIGNER = 'unknown:';

/** The parts of a CA certificate that determine paths through it. */
export interface CaCertificate {
  readonly key: AnchorKey;
  /** The key of its signer: the same key for a self-signed anchor, another anchor's key for a bridge. */
  readonly signer: AnchorKey;
  readonly notBefore: Time;
  readonly notAfter: Time;
  /** The number of CAs that may follow below it; absent for no limit. */
  readonly pathLength?: number;
  /** True if it has name constraints. */
  readonly constrained?: true;
  /** The only DNS domains that it permits; absent if the constraint is not critical, or permits other names. */
  readonly permits?: readonly string[];
  /** True if it also permits only URIs of these domains: proxies accept SPIFFE identities, too. */
  readonly limitsUris?: true;
  /** True if it may not sign certificates for both TLS servers and TLS clients. */
  readonly unusable?: true;
}

/** The identity issuer's certificate, and the bridges that accompany it and each leaf that it signs. */
export interface IssuerChain {
  /** The anchor's key that signed the issuer. */
  readonly signer: AnchorKey;
  readonly notBefore: Time;
  readonly notAfter: Time;
  /** In order, starting with the issuer's signer. */
  readonly bridges: readonly CaCertificate[];
}

/**
 * Whether a verifier with these roots accepts the chain: it ends at a root, directly or through bridges that are
 * currently valid. Roots are valid regardless of their own expiry, as in the proxies' verifier (rustls-webpki), while
 * Go's also requires them to be valid.
 */
export function verifies(
  { signer, notBefore, notAfter, bridges }: IssuerChain,
  roots: ReadonlySet<AnchorKey>,
  now: Time,
): boolean {
  if (now < notBefore || now >= notAfter) return false;
  const tried = new Set<AnchorKey>();
  let reached: readonly AnchorKey[] = [signer];
  while (reached.length > 0) {
    if (reached.some((key) => roots.has(key))) return true;
    for (const key of reached) tried.add(key);
    reached = bridges
      .filter((bridge) => reached.includes(bridge.key) && isCurrent(bridge, now))
      .map((bridge) => bridge.signer)
      .filter((key) => !tried.has(key));
  }
  return false;
}

function isCurrent({ notBefore, notAfter }: Pick<CaCertificate, 'notBefore' | 'notAfter'>, now: Time): boolean {
  return notBefore <= now && now < notAfter;
}

/** Whether a certificate is signed by another anchor's key. */
export function isBridge({ key, signer }: CaCertificate): boolean {
  return key !== signer;
}

/** Whether name constraints exclude the identities of a trust domain; with an unknown domain, any constraint does. */
export function excludes({ constrained, permits = [] }: CaCertificate, trustDomain: string | undefined): boolean {
  if (!constrained) return false;
  const permitted = (domain: string): boolean => trustDomain === domain || trustDomain?.endsWith(`.${domain}`) === true;
  return !permits.some(permitted);
}
