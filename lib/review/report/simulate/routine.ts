import { HOUR } from '#base/time-units';
import type { CertificateFacts, MeshFacts, Millis, PkiFacts, RestartSchedule } from '../model';
import type { Conditions } from './conditions';

interface Issuance {
  readonly from: Millis;
  readonly notAfter: Millis;
  readonly replaced: Millis;
}

/** A time in which a certificate is not valid, or in which it signs certificates that outlive it. */
interface Gap {
  readonly from: Millis;
  readonly to: Millis;
  readonly kind: 'expired' | 'outlived';
}

/** The life of one certificate between rotations. */
export interface CertificateLife {
  readonly certificate: CertificateFacts;
  readonly issuances: readonly Issuance[];
  readonly gaps: readonly Gap[];
}

/** The life of a mesh between rotations, starting when all certificates are issued. */
export interface Routine {
  readonly until: Millis;
  readonly outage?: Outage;
  readonly lives: readonly CertificateLife[];
  /** Restarts by jobs, with their workloads. */
  readonly restarts: readonly { readonly at: Millis; readonly workloads: readonly string[] }[];
}

interface Outage {
  readonly from: Millis;
  readonly to: Millis;
}

/** cert-manager's limits (pkg/apis/certmanager/v1/const.go). */
const [MINIMUM_DURATION, MINIMUM_RENEW_BEFORE] = [HOUR, HOUR / 12];

const MAX = 400;

/**
 * Simulates time from the moment when all certificates are issued. cert-manager is down from the first renewal of the
 * identity issuer on.
 */
export function routine(facts: MeshFacts, { outageHours }: Pick<Conditions, 'outageHours'>, until: Millis): Routine {
  const { pki, schedules } = facts;
  const refused = refusedCertificates(pki);
  const renewed = pki.certificates.filter((one) => one.renewsItself && one.role !== 'anchor' && !refused.includes(one));
  const issuer = renewed.find(({ role }) => role === 'identity-issuer') ?? renewed[0];
  const from = issuer === undefined ? 0 : periodOf(issuer, schedules);
  const outage = outageHours > 0 ? { from, to: from + outageHours * HOUR } : undefined;
  const lives = renewed.map((certificate) => lifeOf(certificate, facts, { outage, until }));
  return { until, ...(outage && { outage }), lives, restarts: restartsOf(schedules, { outage, until }) };
}

/**
 * Returns the certificates with windows that cert-manager refuses. It never issues them, so they are not simulated.
 */
export function refusedCertificates({ certificates }: PkiFacts): readonly CertificateFacts[] {
  return certificates.filter(
    ({ duration, renewBefore }) =>
      duration < MINIMUM_DURATION || renewBefore < MINIMUM_RENEW_BEFORE || renewBefore >= duration,
  );
}

/** Returns the time after which a certificate is replaced: by cert-manager, or earlier by a job. */
export function periodOf(
  { id, duration, renewBefore }: Pick<CertificateFacts, 'id' | 'duration' | 'renewBefore'>,
  schedules: readonly RestartSchedule[],
): Millis {
  const gaps = schedules.flatMap(({ gap, units }) =>
    gap !== undefined && units.some(({ certificates }) => certificates.includes(id)) ? [gap] : [],
  );
  return Math.max(MINIMUM_RENEW_BEFORE, Math.min(duration - renewBefore, ...gaps));
}

/** Returns the longest lifetime of the certificates that a certificate signs. */
export function reachOf({ id, role }: Pick<CertificateFacts, 'id' | 'role'>, pki: PkiFacts): Millis {
  const signed = pki.certificates.filter(({ signedBy }) => signedBy === id).map(({ duration }) => duration);
  const leaves = role === 'identity-issuer' ? [pki.issuanceLifetime + pki.clockSkewAllowance] : [];
  return Math.max(0, ...signed, ...leaves);
}

interface Times {
  readonly outage: Outage | undefined;
  readonly until: Millis;
}

function lifeOf(
  certificate: CertificateFacts,
  { pki, schedules }: MeshFacts,
  { outage, until }: Times,
): CertificateLife {
  const reach = reachOf(certificate, pki);
  const period = periodOf(certificate, schedules);
  const issuances: Issuance[] = [];
  const gaps: Gap[] = [];
  for (let from = 0; from < until && issuances.length < MAX; ) {
    const due = from + period;
    const replaced = outage !== undefined && due >= outage.from && due < outage.to ? outage.to : due;
    const notAfter = from + certificate.duration;
    issuances.push({ from, notAfter, replaced });
    // From this time on, signed certificates outlive the signer, until the signer is replaced or expires.
    const late = Math.max(due, notAfter - reach);
    if (reach > 0 && replaced > late) gaps.push({ from: late, to: Math.min(replaced, notAfter), kind: 'outlived' });
    if (replaced > notAfter) gaps.push({ from: notAfter, to: replaced, kind: 'expired' });
    from = replaced;
  }
  return { certificate, issuances, gaps };
}

/** Returns the restarts by the scheduled jobs, which fail during an outage of cert-manager. */
function restartsOf(schedules: readonly RestartSchedule[], { outage, until }: Times): Routine['restarts'] {
  return schedules
    .flatMap(({ gap, units }) => {
      if (gap === undefined || gap <= 0) return [];
      const workloads = units.map(({ workload }) => workload);
      const runs = Math.min(MAX, Math.floor(until / gap));
      return Array.from({ length: runs }, (_, index) => ({ at: (index + 1) * gap, workloads }));
    })
    .filter(({ at }) => outage === undefined || at < outage.from || at >= outage.to)
    .sort((a, b) => a.at - b.at);
}
