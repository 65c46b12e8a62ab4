import { violationOf } from '../../../operator/api/kubernetes/violation';
import type { Problem } from '../../kubernetes/findings/problem';
import type { Warning } from '../../kubernetes/findings/warning';
import type { WebhookCertificate } from '../pki/webhook-certificate';

/** The Jobs of a CronJob have its name and eleven characters more (Kubernetes, pkg/apis/batch/validation). */
const LONGEST_NAME = 52;

/** Checks the length of a CronJob's name. */
export function checkNameLength(name: string): readonly Problem[] {
  if (name.length <= LONGEST_NAME) return [];
  return [
    {
      code: 'cron-job-name-too-long',
      violates: violationOf('form', name),
      what: `name is "${name}", ${name.length} characters long`,
      why: `Kubernetes refuses a CronJob whose name has more than ${LONGEST_NAME}: those of its Jobs would be too long`,
      fix: 'shorten it',
    },
  ];
}

/** The problem of a rotation beside another one. */
export function secondRotation(first: string): Problem {
  return {
    code: 'second-rotation',
    what: `It is the second CertRotationCronJob of its cluster, after ${first}`,
    why: 'Both would renew the same certificates and restart the same Deployments, also at the same time',
    fix: 'remove one, and give the other the schedule that is meant',
  };
}

/** Reports certificates that objects of the rotation do not know, since somebody read these before. */
export function checkLateCertificates(certificates: readonly WebhookCertificate[]): readonly Problem[] {
  return certificates.flatMap(({ injectCaFrom, deployment }) =>
    deployment === undefined
      ? []
      : [
          {
            what: `Certificate ${injectCaFrom} was made after somebody read the objects of CertRotationCronJob, which do not rotate it`,
            why: `${deployment} is left to notice a new certificate by itself, which it may fail to (linkerd2#15109), and then serves with one that has expired`,
            fix: 'create Viz and all other extensions before the code that reads objects (node.findAll(), node.children)',
            code: 'certificate-not-rotated',
          },
        ],
  );
}

/** The warning about a rotation below an anchor that renews by itself. */
export function automaticAnchorWarning(cronJob: string): Warning {
  return {
    code: 'anchor-renews-by-itself',
    what: `The trust anchor renews by itself (automatic-unsafe), and CronJob ${cronJob} does not wait for the mesh to know the new one`,
    why: 'The first run after the renewal has identity sign with the new anchor: pods that were not restarted by then take part in the mesh no more',
    fix: `suspend CronJob ${cronJob} when the alert on the renewal fires, until every meshed pod was restarted; or renew the anchor by hand (rotation: 'manual')`,
  };
}
