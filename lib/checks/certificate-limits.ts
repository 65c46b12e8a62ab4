import { goDurationMs } from '#base/go-duration';
import { HOUR } from '#base/time-units';

// cert-manager, pkg/apis/certmanager/v1/const.go. All in milliseconds.

/** The shortest duration of a certificate: MinimumCertificateDuration. */
export const MINIMUM_DURATION = HOUR;
/** The shortest time before expiry at which a certificate is renewed: MinimumRenewBefore. */
export const MINIMUM_RENEW_BEFORE = 300_000;
/** The default duration of a certificate: DefaultCertificateDuration. */
export const DEFAULT_DURATION = 2160 * HOUR;

/** Returns the milliseconds of a duration in a Certificate; undefined for other values. */
export function millisecondsOf(value: unknown): number | undefined {
  return typeof value === 'string' ? goDurationMs(value) : undefined;
}
