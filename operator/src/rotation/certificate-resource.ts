import { conditionOf } from '#base/conditions';
import type { KubeObject } from '#controller-runtime/objects/kube-object';
import { kubeTime } from '#controller-runtime/objects/kube-time';

interface CertificateCondition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason?: string;
  readonly message?: string;
  readonly observedGeneration?: number;
  readonly lastTransitionTime?: string;
}

/** The fields of cert-manager's Certificate that are read or, by a renewal, written. */
export interface Certificate extends KubeObject {
  readonly spec: { readonly secretName: string };
  readonly status?: { readonly conditions?: readonly CertificateCondition[] };
}

/** Whether cert-manager is reissuing the certificate. */
export function isIssuing(certificate: Certificate): boolean {
  return conditionOf(certificate.status, 'Issuing')?.status === 'True';
}

/** Whether the Secret matches the Certificate, including its latest changes. */
export function isReady(certificate: Certificate): boolean {
  const ready = conditionOf(certificate.status, 'Ready');
  const { generation } = certificate.metadata;
  return ready?.status === 'True' && (ready.observedGeneration ?? generation) === generation;
}

/** Returns cert-manager's last messages about issuing a Certificate and its readiness; empty if there are none. */
export function statusText(certificate: Certificate): string {
  const said = ['Issuing', 'Ready'].flatMap((type) => {
    const condition = conditionOf(certificate.status, type);
    if (condition === undefined) return [];
    const { status, reason = 'no reason', message = '' } = condition;
    return [`${type}=${status} (${message === '' ? reason : `${reason}: ${message}`})`];
  });
  return said.join(', ');
}

/** The request of a run, and the certificate before it. */
export interface RenewalMark {
  readonly runId: string;
  /** Fingerprint of the replaced certificate; absent if there was none. */
  readonly before?: string;
}

/**
 * Condition in which a run records its request for a certificate. It is written together with the request, needs no
 * further permission, and stays: cert-manager changes only conditions of its own types.
 */
const MARK = 'LinkerdRotation';

/** Reads the request of the last run that marked the Certificate. */
export function renewalMark(certificate: Certificate): RenewalMark | undefined {
  const [, before, runId] =
    /^before (\S+), run (.+)$/s.exec(conditionOf(certificate.status, MARK)?.message ?? '') ?? [];
  if (runId === undefined) return undefined;
  return { runId, ...(before !== NOTHING && { before }) };
}

const NOTHING = 'nothing';

/**
 * Returns the status that makes cert-manager reissue the certificate at once when applied server-side, like `cmctl
 * renew` (cert-manager, pkg/controller/certificates/issuing). Apply it with force: cert-manager owns the `Issuing`
 * condition if there is one already.
 */
export function renewalRequest(
  { metadata }: Certificate,
  now: Date,
  mark?: RenewalMark,
): KubeObject & Pick<Certificate, 'status'> {
  const lastTransitionTime = kubeTime(now);
  return {
    metadata: { namespace: metadata.namespace, name: metadata.name },
    status: {
      conditions: [
        {
          type: 'Issuing',
          status: 'True',
          reason: 'ManuallyTriggered',
          message: 'The certificate rotation requested a new certificate',
          lastTransitionTime,
        },
        ...(mark === undefined ? [] : [markCondition(mark, lastTransitionTime)]),
      ],
    },
  };
}

function markCondition({ runId, before = NOTHING }: RenewalMark, lastTransitionTime: string): CertificateCondition {
  return { type: MARK, status: 'True', reason: 'Asked', message: `before ${before}, run ${runId}`, lastTransitionTime };
}
