import type { X509Certificate } from 'node:crypto';
import { oneLine, readCertificates } from '#base/certificates';
import type { ObservedCertificate, ObservedRequest } from '../live/certificates';
import type { Time } from '../live/fields';
import { itemsOf, type StatusObservation } from '../live/observation';

/** Maximum number of certificates to read of one text: bundles of public CAs contain about 150. */
const MAX_CERTIFICATES = 512;

/** Returns the valid certificates in a text, in order. */
export function certificatesIn(pem = ''): readonly X509Certificate[] {
  return readCertificates(pem, MAX_CERTIFICATES);
}

/** Returns the certificate that was last issued for a Certificate, with its intermediates; empty if unknown. */
export function issuedChain(
  { namespace, name, revision }: ObservedCertificate,
  requests: readonly ObservedRequest[],
): readonly X509Certificate[] {
  const request = requests.find(
    (one) => one.namespace === namespace && one.certificate === name && one.revision === revision && one.chain !== '',
  );
  return request === undefined ? [] : certificatesIn(request.chain);
}

/** Returns the chain that was last issued for the Certificate `namespace/name`; empty if unknown. */
export function issuedTo(id: string, { certificates, requests }: StatusObservation): readonly X509Certificate[] {
  const found = itemsOf(certificates)?.find(({ namespace, name }) => `${namespace}/${name}` === id);
  return found === undefined ? [] : issuedChain(found, itemsOf(requests) ?? []);
}

/** Returns the trust roots of the mesh in a namespace as PEM; undefined if they are unknown. */
export function trustRootsIn(namespace: string | undefined, { bundles }: StatusObservation): string | undefined {
  return itemsOf(bundles)?.find((one) => one.namespace === namespace)?.roots;
}

/** Returns the end of a certificate. */
export function endOf({ validTo }: X509Certificate): Time {
  return Date.parse(validTo);
}

/** Also returns true if both are the same certificate. */
function signedBy(certificate: X509Certificate, signer: X509Certificate): boolean {
  try {
    if (certificate.fingerprint256 === signer.fingerprint256) return true;
    return signer.ca && certificate.checkIssued(signer) && certificate.verify(signer.publicKey);
  } catch {
    // The key has an unknown algorithm.
    return false;
  }
}

/** Returns the roots that signed the first certificate of a chain, directly or through the other certificates. */
export function rootsOf(
  [first, ...others]: readonly X509Certificate[],
  roots: readonly X509Certificate[],
): readonly X509Certificate[] {
  if (first === undefined) return [];
  const known = [first];
  // The intermediates may be in any order.
  for (let count = 0; count < known.length; count++) {
    const signed = known[count];
    const signers = others.filter((one) => signed !== undefined && !known.includes(one) && signedBy(signed, one));
    known.push(...signers);
  }
  return roots.filter((root) => known.some((one) => signedBy(one, root)));
}

/** Formats a subject or an issuer on one line. */
export function nameOf(name: string | undefined): string {
  return oneLine(name ?? '').slice(0, 256);
}
