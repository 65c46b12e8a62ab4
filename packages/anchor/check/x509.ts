import type { AnchorKey, CaCertificate, Time } from '../chain';

/** What a proxy presents: the trust domain of its name, its issuer, and the accompanying certificates. */
export interface Presented {
  readonly domain: string;
  /** The key of the CA that signed the issuer. */
  readonly signer: AnchorKey;
  readonly notAfter: Time;
  readonly bridges: readonly CaCertificate[];
}

/** The limit of rustls-webpki for CA certificates between a certificate and a root. */
const MAX_INTERMEDIATES = 6;

/**
 * Whether a verifier with these roots finds a path at the time `now`. It does not use the operator's own verification,
 * which is itself under test: it tries each path, and each certificate of a path must be valid then, must allow as many
 * CAs below it as there are, and must permit the name. Only the name and key of a root count.
 */
export function isAccepted(
  { domain, signer, notAfter, bridges }: Presented,
  roots: readonly AnchorKey[],
  now: Time,
): boolean {
  const leads = (key: AnchorKey, path: readonly CaCertificate[]): boolean => {
    if (roots.includes(key)) return true;
    // The issuer is the first CA below.
    const below = path.length + 1;
    if (below >= MAX_INTERMEDIATES) return false;
    return bridges.some((one) => {
      const isNext = one.key === key && one.signer !== key && !path.includes(one);
      return isNext && isUsable(one, { below, domain, now }) && leads(one.signer, [...path, one]);
    });
  };
  return now < notAfter && leads(signer, []);
}

function isUsable(
  { notBefore, notAfter, pathLength, constrained, permits = [], unusable }: CaCertificate,
  { below, domain, now }: { readonly below: number; readonly domain: string; readonly now: Time },
): boolean {
  if (unusable || now < notBefore || now >= notAfter) return false;
  if (pathLength !== undefined && below > pathLength) return false;
  return !constrained || permits.some((one) => domain === one || domain.endsWith(`.${one}`));
}
