import type { Problem } from '../../kubernetes/findings/problem';
import type { WebhookCertificate } from '../pki/webhook-certificate';
import { ROTATION_FINDINGS } from './findings';

/** The Jobs of a CronJob have its name and eleven characters more (Kubernetes, pkg/apis/batch/validation). */
const LONGEST_NAME = 52;

/** Checks the length of a CronJob's name. */
export function checkNameLength(name: string): readonly Problem[] {
  if (name.length <= LONGEST_NAME) return [];
  const parameters = { name, length: name.length, most: LONGEST_NAME };
  return [ROTATION_FINDINGS.cronJobNameTooLong(parameters)];
}

/** Reports certificates that objects of the rotation do not know, because these were read before. */
export function checkLateCertificates(certificates: readonly WebhookCertificate[]): readonly Problem[] {
  return certificates.flatMap(({ injectCaFrom, deployment }) =>
    deployment === undefined
      ? []
      : [ROTATION_FINDINGS.certificateNotRotated({ certificate: injectCaFrom, deployment })],
  );
}
