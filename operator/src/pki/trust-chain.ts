import type { X509Certificate } from 'node:crypto';
import { oneLine, readCertificates } from '#base/certificates';

/** The reason why a chain leads to none of the anchors in a bundle. */
export type ChainFault =
  | { readonly is: 'no certificate' | 'no valid anchor' }
  | { readonly is: 'other signer'; readonly signer: string; readonly anchors: readonly string[] };

/**
 * Checks that a certificate, the first one of `chain`, chains to an anchor in a bundle. Returns the reason if it does
 * not; undefined if it does. The other certificates may be intermediates, in any order. Expired and invalid anchors are
 * ignored, as in Go's verifier.
 */
export function checkChain(chain: readonly X509Certificate[], bundle: string, now: Date): ChainFault | undefined {
  const [certificate, ...intermediates] = chain;
  if (certificate === undefined) return { is: 'no certificate' };
  const anchors = readCertificates(bundle).filter((anchor) => isCurrent(anchor, now));
  if (anchors.length === 0) return { is: 'no valid anchor' };
  const current = intermediates.filter((intermediate) => isCurrent(intermediate, now));
  if (leadsTo(anchors, certificate, current)) return undefined;
  return {
    is: 'other signer',
    signer: oneLine(certificate.issuer),
    anchors: anchors.map(({ subject }) => oneLine(subject)),
  };
}

function leadsTo(
  anchors: readonly X509Certificate[],
  certificate: X509Certificate,
  intermediates: readonly X509Certificate[],
): boolean {
  if (anchors.some((anchor) => isSignedBy(certificate, anchor) || anchor.raw.equals(certificate.raw))) return true;
  return intermediates.some(
    (intermediate) =>
      isSignedBy(certificate, intermediate) &&
      leadsTo(
        anchors,
        intermediate,
        intermediates.filter((other) => other !== intermediate),
      ),
  );
}

function isSignedBy(certificate: X509Certificate, signer: X509Certificate): boolean {
  return certificate.checkIssued(signer) && certificate.verify(signer.publicKey);
}

function isCurrent({ validFromDate, validToDate }: X509Certificate, now: Date): boolean {
  return validFromDate <= now && now < validToDate;
}
