import type { KeyPair } from '../pki/key-pair';
import { type Certificate, isIssuing, isReady, statusText } from './certificate-resource';

/** A Certificate and its Secret's content. The Secret is read after the Certificate, so it is never older. */
export interface SeenCertificate {
  readonly certificate: Certificate;
  readonly pair?: KeyPair;
}

/** The state of a renewal in progress. */
export interface Renewal {
  /** The fingerprint in the Secret at the start. */
  readonly before?: string;
  /** True if this renewal has requested a new certificate from cert-manager. */
  readonly requested: boolean;
  /** True if the renewal takes too long. */
  readonly overdue: boolean;
}

/** The next step of a renewal. */
export type RenewalStep =
  | { readonly kind: 'request' }
  | { readonly kind: 'wait'; readonly until: string }
  | { readonly kind: 'renewed'; readonly pair: KeyPair }
  | { readonly kind: 'fail'; readonly reason: RenewalFailure; readonly message: string };

type RenewalFailure = 'RenewalFailed' | 'RenewalTimedOut' | 'CertificateUnusable';

/**
 * Returns the next step of a renewal. A renewal that another client started counts if it brings a new certificate, so
 * that cert-manager gets at most one request.
 */
export function renewalStep({ certificate, pair }: SeenCertificate, renewal: Renewal, now: Date): RenewalStep {
  const isNew = pair !== undefined && pair.fingerprint !== renewal.before;
  const issuing = isIssuing(certificate);
  if (!issuing && !isNew) return renewal.requested ? notIssued(certificate) : { kind: 'request' };
  if (!issuing && isNew && isReady(certificate)) return usable(pair, now);
  if (renewal.overdue) return timedOut(certificate);
  return { kind: 'wait', until: issuing ? 'cert-manager has issued it' : 'cert-manager reports it as ready' };
}

/** Reports a failed request. cert-manager removes a request after a failure, without writing the Secret. */
function notIssued(certificate: Certificate): RenewalStep {
  const status = statusText(certificate);
  return {
    kind: 'fail',
    reason: 'RenewalFailed',
    message: `cert-manager gave up the renewal without a new certificate${status === '' ? '' : `: ${status}`}`,
  };
}

function timedOut(certificate: Certificate): RenewalStep {
  return {
    kind: 'fail',
    reason: 'RenewalTimedOut',
    message: `the renewal did not end in time: ${statusText(certificate)}. The status of its CertificateRequest shows the reason`,
  };
}

function usable(pair: KeyPair, now: Date): RenewalStep {
  const end = pair.chain[0]?.validToDate;
  const problem = pair.problem ?? (end !== undefined && end <= now ? `it expired at ${end.toISOString()}` : undefined);
  if (problem === undefined) return { kind: 'renewed', pair };
  return { kind: 'fail', reason: 'CertificateUnusable', message: `the new certificate cannot be used: ${problem}` };
}
