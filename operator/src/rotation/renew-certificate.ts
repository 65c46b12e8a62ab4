import { SECRETS } from '#controller-runtime/objects/built-in-resources';
import { objectKey } from '#controller-runtime/objects/kube-object';
import { CERTIFICATES } from '../pki/cert-manager';
import { type KeyPair, keyPairOf, type Secret } from '../pki/key-pair';
import { type Certificate, renewalMark, renewalRequest } from './certificate-resource';
import { poll } from './poll';
import { type Renewal, renewalStep, type SeenCertificate } from './renewal-step';
import type { RotationContext } from './rotation-context';
import { RotationFailure } from './rotation-failure';

/** A Certificate after its renewal. */
export interface RenewedCertificate {
  readonly certificate: Certificate;
  readonly pair: KeyPair;
}

/**
 * Makes cert-manager reissue a certificate, and waits until its Secret contains it.
 * @param isOfUse whether the result of an earlier attempt of this run can be kept
 * @throws RotationFailure if the renewal fails, or its result is unusable
 */
export async function renewCertificate(
  first: Certificate,
  isOfUse: (pair: KeyPair) => boolean,
  context: RotationContext,
): Promise<RenewedCertificate> {
  const key = objectKey(first);
  const log = context.log.with({ certificate: key });
  const start = await see(first, context);
  const mark = renewalMark(first);
  const isOurs = mark !== undefined && mark.runId === context.runId;
  // Repeats an earlier request of this run that was not answered, or whose result is unusable.
  const counts = isOurs && (start.pair === undefined || isOfUse(start.pair));
  let renewal: Omit<Renewal, 'overdue'> = {
    before: counts ? mark.before : start.pair?.fingerprint,
    requested: false,
  };

  return await poll(
    async (overdue) => {
      const seen = await see(await currentCertificate(first, key, context), context);
      const step = renewalStep(seen, { ...renewal, overdue }, new Date());
      switch (step.kind) {
        case 'request':
          await request(seen, context);
          renewal = { ...renewal, requested: true };
          log.info('requested a new certificate from cert-manager');
          return undefined;
        case 'wait':
          log.debug('waiting', { until: step.until });
          return undefined;
        case 'renewed':
          log.info('renewed the certificate', { notAfter: step.pair.chain[0]?.validToDate.toISOString() });
          return { certificate: seen.certificate, pair: step.pair };
        case 'fail':
          throw new RotationFailure(seen.certificate, step.reason, step.message);
      }
    },
    { ...context, log, timeoutMs: context.renewalTimeoutMs },
  );
}

/** Reads the Secret last, so that it is at least as new as the status that refers to it. */
async function see(certificate: Certificate, { client, signal }: RotationContext): Promise<SeenCertificate> {
  const key = `${certificate.metadata.namespace}/${certificate.spec.secretName}`;
  return { certificate, pair: keyPairOf(await client.get<Secret>(SECRETS, key, { signal })) };
}

async function currentCertificate(first: Certificate, key: string, context: RotationContext): Promise<Certificate> {
  const { client, signal } = context;
  const certificate = await client.get<Certificate>(CERTIFICATES, key, { signal });
  if (certificate !== undefined) return certificate;
  throw new RotationFailure(first, 'CertificateMissing', 'it was deleted during its renewal');
}

async function request({ certificate, pair }: SeenCertificate, context: RotationContext): Promise<void> {
  const { client, runId, signal } = context;
  const mark = runId === undefined ? undefined : { runId, ...(pair && { before: pair.fingerprint }) };
  const status = renewalRequest(certificate, new Date(), mark);
  await client.apply(CERTIFICATES, status, { subresource: 'status', force: true, signal });
}
