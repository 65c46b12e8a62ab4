import { X509Certificate } from 'node:crypto';
import { pem, pemBlocks } from '../../cluster/pem';
import { readCertificate } from '../../cluster/read-certificate';

/** The two PEM texts that a signer returns. */
export interface ChainAndRoot {
  /** The certificate and its signers, without a self-signed root. */
  readonly chain: string;
  /** The certificate at the top of the chain. */
  readonly root?: string;
}

/**
 * Puts certificates into the one order in which each is signed by the next (pkg/util/pki/parse_certificate_chain.go).
 * @throws cert-manager's message, if there is no such order
 */
export function orderedChain(certificates: readonly Buffer[]): ChainAndRoot {
  const unique = [...new Map(certificates.map((raw) => [raw.toString('hex'), raw])).values()];
  const signers = new Map(
    unique.map((raw) => [raw, unique.filter((other) => other !== raw && isSignedBy(raw, other))]),
  );
  const isSigner = (raw: Buffer) => [...signers.values()].some((of) => of.includes(raw));
  const ordered = unique.filter((raw) => !isSigner(raw)).slice(0, 1);
  for (let top = ordered[0]; top !== undefined; ) {
    const next: Buffer | undefined = signers.get(top)?.find((signer) => !ordered.includes(signer));
    if (next !== undefined) ordered.push(next);
    top = next;
  }
  const top = ordered.at(-1);
  if (top === undefined || ordered.length < unique.length) throw new Error('certificate chain is malformed or broken');
  const chain = ordered.filter((raw) => !isSignedBy(raw, raw));
  // A self-signed certificate alone is both chain and root. Another certificate alone has no known root.
  const root = ordered.length > 1 || isSignedBy(top, top) ? encoded([top]) : undefined;
  return { chain: encoded(chain.length > 0 ? chain : [top]), ...(root && { root }) };
}

/** Whether the signer is a CA, and its name and key match the certificate's issuer and signature. */
function isSignedBy(certificate: Buffer, signer: Buffer): boolean {
  const above = readCertificate(signer);
  if (!above.ca || !readCertificate(certificate).issuer.equals(above.subject)) return false;
  return new X509Certificate(certificate).verify(new X509Certificate(signer).publicKey);
}

function encoded(certificates: readonly Buffer[]): string {
  return certificates.map((raw) => pem('CERTIFICATE', raw)).join('');
}

/** The certificates of a PEM text, as DER. */
export function certificatesOf(text: string | undefined): Buffer[] {
  return text === undefined ? [] : pemBlocks(text);
}
