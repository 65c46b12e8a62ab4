import { catalogue } from '#base/findings/catalogue';

/** Findings about rotations. */
export const ROTATION_FINDINGS = catalogue({
  'name-too-long/cron-job': {
    severity: 'error',
    what: ({ name, length }: { name: string; length: number }) => `name is "${name}", which has ${length} characters`,
    why: ({ most }: { most: number }) =>
      `Kubernetes refuses a CronJob whose name has more than ${most} characters: the names of its Jobs would be too long`,
    fix: 'shorten the name',
  },
  'second-rotation': {
    severity: 'error',
    what: ({ first }: { first: string }) => `The cluster has a CertRotationCronJob already: ${first}`,
    why: 'Both would renew the same certificates and restart the same Deployments, possibly at the same time',
    fix: 'remove one, and set the schedule of the other',
  },
  'certificate-not-rotated': {
    severity: 'error',
    what: ({ certificate }: { certificate: string }) =>
      `Certificate ${certificate} was added after the objects of CertRotationCronJob were read, so the rotation does not include it`,
    why: ({ deployment }: { deployment: string }) =>
      `${deployment} may fail to notice a new certificate (linkerd2#15109), and then serves one that has expired`,
    fix: 'create Viz and all other extensions before the App or its charts are synthesized',
  },
  'rotation-below-renewing-anchor': {
    severity: 'warning',
    what: ({ cronJob }: { cronJob: string }) =>
      `The trust anchor is renewed automatically ('automatic-unsafe'), and CronJob ${cronJob} does not wait until all pods trust the new anchor`,
    why: 'The first run after the renewal makes identity sign with the new anchor: pods that have not restarted by then are cut off from the mesh',
    fix: ({ cronJob }: { cronJob: string }) =>
      `suspend CronJob ${cronJob} when the alert on the renewal fires, until every meshed pod has restarted; or renew the anchor by hand (rotation: 'manual')`,
  },
  'schedule-never-runs': {
    severity: 'error',
    what: ({ schedule }: { schedule: string }) => `schedule is "${schedule}", a date that does not exist`,
    why: 'Kubernetes accepts it, and no certificate would ever be rotated',
    fix: 'remove the schedule, which defaults to every six hours, or use dates that exist',
  },
  'schedule-overlaps': {
    severity: 'error',
    what: ({ schedule, shortest, longestRun }: { schedule: string; shortest: string; longestRun: string }) =>
      `schedule is "${schedule}", which runs again after ${shortest}, but a run may take ${longestRun}`,
    why: 'Kubernetes skips a run while the previous one is in progress, so certificates are not rotated on schedule',
    fix: ({ longestRun }: { longestRun: string }) => `leave more than ${longestRun} between runs`,
  },
  'schedule-misses-window': {
    severity: 'error',
    what: ({
      schedule,
      longest,
      window,
      renewBefore,
    }: Record<'schedule' | 'longest' | 'window' | 'renewBefore', string>) =>
      `schedule is "${schedule}", with up to ${longest} between runs, but ${window}.renewBefore is ${renewBefore}`,
    why: ({ renewBefore, needed }: { renewBefore: string; needed: string }) =>
      `cert-manager renews a certificate ${renewBefore} before its expiry. Pods that do not load the new one (linkerd2#15109) serve the old one until a run restarts them, which may be ${needed} later, after it has expired`,
    fix: ({ window, least }: { window: string; least: string }) =>
      `run more often, or set ${window}.renewBefore of CertManagerPKI to ${least} or more`,
  },
});
