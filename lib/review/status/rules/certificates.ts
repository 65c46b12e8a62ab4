import { HOUR } from '#base/time-units';
import type { ObservedCertificate } from '../../live/certificates';
import type { Time } from '../../live/fields';
import { isWhole, itemsOf } from '../../live/observation';
import { type StatusFinding, type StatusInput, statusFinding, timeText } from '../finding';
import { STATUS_FINDINGS } from '../findings';
import { endOf, issuedChain } from '../x509';

/** The time that cert-manager may take for a renewal. */
const RENEWING = HOUR;

/** Checks the Certificates of the mesh, and the certificates that were issued for them. */
export function checkCertificates({ intent, seen, now, kubectl }: StatusInput): readonly StatusFinding[] {
  if (seen.certificates.is !== 'read' && seen.certificates.is !== 'absent') return [];
  const found = new Map((itemsOf(seen.certificates) ?? []).map((one) => [`${one.namespace}/${one.name}`, one]));
  const requests = itemsOf(seen.requests) ?? [];
  return [
    ...intent.certificates.flatMap((certificate) =>
      found.has(certificate) || !isWhole(seen.certificates)
        ? []
        : [statusFinding(STATUS_FINDINGS.certificateMissing({ certificate }))],
    ),
    ...[...found].flatMap(([id, one]) => {
      const [leaf] = issuedChain(one, requests);
      return checkCertificate(id, one, { end: leaf === undefined ? one.notAfter : endOf(leaf), now, kubectl });
    }),
  ];
}

function checkCertificate(
  certificate: string,
  { namespace, name, isReady, message = 'it has no status', since, renewalTime }: ObservedCertificate,
  { end, now, kubectl }: { readonly end: Time | undefined; readonly now: Time; readonly kubectl: string },
): readonly StatusFinding[] {
  if (end !== undefined && end <= now) {
    const problem = STATUS_FINDINGS.certificateExpired({ certificate, end: timeText(end), kubectl, namespace, name });
    return [statusFinding(problem, end)];
  }
  if (isReady !== true) {
    return [statusFinding(STATUS_FINDINGS.certificateNotReady({ certificate, message, kubectl, namespace }), since)];
  }
  if (renewalTime === undefined || end === undefined || now - renewalTime < RENEWING) return [];
  const parameters = { certificate, due: timeText(renewalTime), end: timeText(end), kubectl, namespace, name };
  return [statusFinding(STATUS_FINDINGS.certificateRenewalOverdue(parameters), renewalTime)];
}
