import type { X509Certificate } from 'node:crypto';
import { oneLine, pemCertificates, readCertificate } from '#base/certificates';
import type { Problem } from '#base/findings/problem';
import { MAX_PEM_LENGTH } from '#operator/api/crd/values-schema';
import { WEBHOOK_FINDINGS } from '#operator/api/webhooks/findings';
import { checkChain } from '../../pki/trust-chain';

const FIELD = 'spec.values.identityTrustAnchorsPEM';

/** Reports trust anchors that would break a mesh whose proxies trust only these. */
export function checkAnchors(
  pem: string,
  issuer: readonly X509Certificate[] | undefined,
  now: Date,
): readonly Problem[] {
  // The API server refuses larger ones before it calls the webhook, so this is for other clients.
  const tooLarge = checkAnchorSize(pem);
  if (tooLarge.length > 0) return tooLarge;
  const blocks = pemCertificates(pem);
  if (blocks.length === 0) {
    return [WEBHOOK_FINDINGS.configAnchorsInvalidMissing({ field: FIELD })];
  }
  const problems = blocks.flatMap((block, index) => checkCertificate(block, `${FIELD}: certificate ${index + 1}`, now));
  return [...problems, ...checkIssuer(issuer, pem, now)];
}

/** Checks that anchors are not too large to parse. */
export function checkAnchorSize(pem: string): readonly Problem[] {
  if (pem.length <= MAX_PEM_LENGTH) return [];
  return [WEBHOOK_FINDINGS.configAnchorsInvalidTooLong({ field: FIELD, most: MAX_PEM_LENGTH })];
}

function checkCertificate(block: string, name: string, now: Date): readonly Problem[] {
  const certificate = readCertificate(block);
  if (certificate === undefined) return [WEBHOOK_FINDINGS.configAnchorsInvalidUnreadable({ certificate: name })];
  const { ca, subject, validFromDate, validToDate } = certificate;
  const named = `${name} (${oneLine(subject)})`;
  const problems: Problem[] = [];
  if (!ca) problems.push(WEBHOOK_FINDINGS.configAnchorsInvalidNotCa({ certificate: named }));
  if (validToDate <= now) {
    const end = validToDate.toISOString();
    problems.push(WEBHOOK_FINDINGS.configAnchorsInvalidExpired({ certificate: named, end }));
  }
  if (validFromDate > now) {
    const start = validFromDate.toISOString();
    problems.push(WEBHOOK_FINDINGS.configAnchorsInvalidNotYetValid({ certificate: named, start }));
  }
  return problems;
}

function checkIssuer(issuer: readonly X509Certificate[] | undefined, pem: string, now: Date): readonly Problem[] {
  const fault = issuer === undefined ? undefined : checkChain(issuer, pem, now);
  switch (fault?.is) {
    case undefined:
      return [];
    case 'no certificate':
      return [WEBHOOK_FINDINGS.issuerNotOfAnchorUnreadable({ field: FIELD })];
    case 'no valid anchor':
      return [WEBHOOK_FINDINGS.issuerNotOfAnchorExpired({ field: FIELD })];
    case 'other signer': {
      const { signer, anchors } = fault;
      return [WEBHOOK_FINDINGS.issuerNotOfAnchor({ field: FIELD, signer, anchors: anchors.join('; ') })];
    }
  }
}
