/** Milliseconds since 1970; of the checker, ticks. */
export type Time = number;

/** Identifies what a verifier takes from a root: hash of subject and public key. Equal for an anchor and its bridge. */
export type AnchorKey = string;

/** A CA certificate, of all that it says that on which a path through it depends. */
export interface CaCertificate {
  readonly key: AnchorKey;
  /** The one who signed it: itself for an anchor that signs itself, another for a bridge. */
  readonly signer: AnchorKey;
  readonly notBefore: Time;
  readonly notAfter: Time;
  /** The number of CAs that may follow it; absent for any. */
  readonly pathLength?: number;
  /** True where names of whatever follows it are limited. */
  readonly constrained?: true;
}

/** The identity issuer's certificate, and the bridges that come along with it and with each leaf that it signs. */
export interface IssuerChain {
  /** The anchor's key that signed the issuer. */
  readonly signer: AnchorKey;
  readonly notBefore: Time;
  readonly notAfter: Time;
  /** From the one who signed the issuer upwards. */
  readonly bridges: readonly CaCertificate[];
}

/**
 * Tells whether a verifier with these roots accepts the chain: it leads to a root, directly or over bridges that are
 * valid now. Roots count whatever their own end is, as with the proxies' verifier (rustls-webpki), while Go's wants
 * them to be valid, too.
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

/** Tells whether a certificate is within its time. */
function isCurrent({ notBefore, notAfter }: Pick<CaCertificate, 'notBefore' | 'notAfter'>, now: Time): boolean {
  return notBefore <= now && now < notAfter;
}

/** Tells whether a certificate certifies the key of one anchor by another. */
export function isBridge({ key, signer }: CaCertificate): boolean {
  return key !== signer;
}
