import { canonicalJson } from '#base/canonical-json';
import type { KubeObject } from '../../cluster/objects';
import { type CertificateView, currentRequest } from './issuance';
import { certificateIn, renewalTime, unreadiness } from './policies';
import { revisionOf, timestamp, withCondition } from './resources';

/** The status that the readiness controller would write; `undefined` if the Certificate has it already. */
export function statusOfReadiness(view: CertificateView): object | undefined {
  const { certificate, secret, duration } = view;
  const why = unreadiness({ ...view, request: currentRequest(view) });
  const conditions = withCondition(certificate, {
    type: 'Ready',
    status: why === undefined ? 'True' : 'False',
    reason: why?.reason ?? 'Ready',
    message: why?.message ?? 'Certificate is up to date and has not expired',
    observedGeneration: certificate.metadata.generation,
  });
  const { notBefore, notAfter, renewalTime: _, ...rest } = certificate.status ?? {};
  const found = certificateIn(secret);
  const renewal = found && renewalTime(certificate, found, duration);
  const status = {
    ...rest,
    conditions,
    ...(found && { notBefore: timestamp(found.validFromDate), notAfter: timestamp(found.validToDate) }),
    ...(renewal && { renewalTime: timestamp(renewal) }),
  };
  return canonicalJson(status) === canonicalJson(certificate.status ?? {}) ? undefined : status;
}

/** A key of the state on which readiness depends, without the clock. A new key makes a new check necessary. */
export function readinessSignature({ certificate, secret, requests }: CertificateView): string {
  const { uid, generation } = certificate.metadata;
  const versions = [secret, ...requests].map((object) => object?.metadata.resourceVersion ?? '-');
  return [uid, generation, certificate.status?.revision, ...versions].join('/');
}

/** The oldest requests of a ready Certificate, beyond its `revisionHistoryLimit` (1 by default). */
export function requestsToPrune({ certificate, requests }: CertificateView): readonly KubeObject[] {
  const ready = (certificate.status?.conditions as readonly { type: string; status: string }[] | undefined)?.some(
    ({ type, status }) => type === 'Ready' && status === 'True',
  );
  const limit: number = certificate.spec.revisionHistoryLimit ?? 1;
  if (!ready || requests.length <= limit) return [];
  const byAge = requests.toSorted((a, b) => (revisionOf(a) ?? 0) - (revisionOf(b) ?? 0));
  return byAge.slice(0, requests.length - limit);
}
