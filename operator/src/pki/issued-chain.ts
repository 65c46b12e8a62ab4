import { IDENTITY_ISSUER } from '#anchor/trust-anchor';
import { isApiError } from '#controller-runtime/client/api-error';
import type { KubeClient } from '#controller-runtime/client/kube-client';
import { CERTIFICATE_REQUESTS, CERTIFICATES, type Certificate, type CertificateRequest } from './cert-manager';
import { issuancesOf } from './issuances';
import type { KnownCertificate } from './known-certificate';

/** Options of {@link readIssuedChain}. */
export interface IssuedChainOptions {
  readonly namespace: string;
  readonly timeoutMs: number;
}

/**
 * Reads what cert-manager issued for the identity issuer: the certificate, then its intermediates towards the anchor.
 * Undefined if there is no such Certificate, or no request for it is left.
 */
export async function readIssuedChain(
  client: KubeClient,
  { namespace, timeoutMs }: IssuedChainOptions,
): Promise<readonly KnownCertificate[] | undefined> {
  try {
    const certificate = await client.get<Certificate>(CERTIFICATES, `${namespace}/${IDENTITY_ISSUER}`, { timeoutMs });
    if (certificate === undefined) return undefined;
    const { items } = await client.list<CertificateRequest>(CERTIFICATE_REQUESTS, { namespace, timeoutMs });
    return issuancesOf(items).of(certificate)?.chain;
  } catch (error) {
    // Without cert-manager these kinds do not exist.
    if (isApiError(error, 404)) return undefined;
    throw error;
  }
}

/** Path of the issuer's certificate in the values of an installation without cert-manager. */
export const INSTALLED_ISSUER = 'identity.issuer.tls.crtPEM';
