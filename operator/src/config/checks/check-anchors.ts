import type { X509Certificate } from 'node:crypto';
import { MAX_PEM_LENGTH } from '../../../api/crd/values-schema';
import type { Problem } from '../../../api/kubernetes/problem';
import { oneLine, pemCertificates, readCertificate } from '../../pki/certificates';
import { checkChain } from '../../pki/trust-chain';

const FIELD = 'spec.values.identityTrustAnchorsPEM';

/** Checks trust anchors by what would go wrong in a mesh whose proxies trust these and no others. */
export function checkAnchors(
  pem: string,
  issuer: readonly X509Certificate[] | undefined,
  now: Date,
): readonly Problem[] {
  // The API server has refused it before it asks; a stranger has not been asked for anything.
  const tooLarge = checkAnchorSize(pem);
  if (tooLarge.length > 0) return tooLarge;
  const blocks = pemCertificates(pem);
  if (blocks.length === 0) {
    return [
      {
        code: 'anchor-missing',
        what: `${FIELD} holds no certificate`,
        why: 'proxies could not be told whom to trust',
        fix: 'give the PEM text of the trust anchors, or leave it empty to keep those in use',
      },
    ];
  }
  const problems = blocks.flatMap((block, index) => checkCertificate(block, `${FIELD}: certificate ${index + 1}`, now));
  return [...problems, ...checkIssuer(issuer, pem, now)];
}

/** Checks that anchors are not more than it makes sense to parse. */
export function checkAnchorSize(pem: string): readonly Problem[] {
  if (pem.length <= MAX_PEM_LENGTH) return [];
  return [
    {
      code: 'anchors-too-long',
      what: `${FIELD} has more than ${MAX_PEM_LENGTH} characters`,
      why: 'no LinkerdConfig can hold it',
      fix: 'give the anchors in use and the next one only',
    },
  ];
}

function checkCertificate(block: string, name: string, now: Date): readonly Problem[] {
  const certificate = readCertificate(block);
  if (certificate === undefined) {
    return [
      {
        code: 'certificate-unreadable',
        what: `${name} cannot be read`,
        why: 'proxies would not start',
        fix: 'copy it anew, with all of its lines',
      },
    ];
  }
  const named = `${name} (${oneLine(certificate.subject)})`;
  const problems: Problem[] = [];
  if (!certificate.ca) {
    problems.push({
      code: 'anchor-not-ca',
      what: `${named} is not a CA`,
      why: 'nothing that it signed counts, so that proxies would trust nobody',
      fix: 'give the root certificate, not one that it issued',
    });
  }
  if (certificate.validToDate <= now) {
    problems.push({
      code: 'anchor-expired',
      what: `${named} expired on ${certificate.validToDate.toISOString()}`,
      why: 'proxies do not trust it any more',
      fix: 'leave it out, or give its successor',
    });
  }
  if (certificate.validFromDate > now) {
    problems.push({
      code: 'anchor-not-yet-valid',
      what: `${named} is not valid before ${certificate.validFromDate.toISOString()}`,
      why: 'proxies do not trust it yet',
      fix: 'wait until then, or correct the clocks',
    });
  }
  return problems;
}

function checkIssuer(issuer: readonly X509Certificate[] | undefined, pem: string, now: Date): readonly Problem[] {
  const problem = issuer === undefined ? undefined : checkChain(issuer, pem, now);
  if (problem === undefined) return [];
  return [
    {
      code: 'issuer-not-of-anchor',
      what: `the identity issuer in use does not lead to ${FIELD}: ${problem}`,
      why: 'new proxies would refuse all others, whose certificates it issued',
      fix: 'keep the present anchor beside the new one until the issuer and all proxies have changed over',
    },
  ];
}
