import type { AlertRule } from '#kubernetes/monitoring';
import { alertRule } from '#kubernetes/monitoring';
import { durationText } from '#kubernetes/options/duration-like';
import type { AnchorRotation } from './anchor-rotation';
import type { AnchorCertificate } from './trust-roots';
import type { ChainWindows } from './validity';

/** The windows from which thresholds are computed. */
export interface WatchedWindows extends ChainWindows {
  readonly rotation?: AnchorRotation | undefined;
  /**
   * Name of the anchor's Certificate and Secret.
   *
   * @default 'linkerd-trust-anchor'
   */
  readonly anchorName?: string | undefined;
  /**
   * A user signs the bridges to next anchors.
   *
   * @default false
   */
  readonly signsBridges?: boolean;
  /** Anchors that are given as PEM certificates. */
  readonly pemAnchors: readonly AnchorCertificate[];
}

/** A certificate that cert-manager renews. */
export interface RenewedCertificate {
  /** Prefix of the alerts' names. */
  readonly alert: string;
  readonly title: string;
  /** PromQL matchers of the certificate's metrics. */
  readonly selector: string;
  /** Milliseconds before expiry at which it is renewed. */
  readonly renewBefore: number;
  /** Milliseconds before expiry at which a missed renewal becomes an emergency. */
  readonly needed: number;
  /** The consequence of expiry, in a sentence. */
  readonly consequence: string;
}

/**
 * Returns the PromQL for the seconds until cert-manager's certificates expire. The expiry of a certificate that was
 * never issued is 0.
 */
export function secondsLeft(selector: string): string {
  return `(certmanager_certificate_expiration_timestamp_seconds{${selector}} > 0) - time()`;
}

/** Returns whole seconds for PromQL, rounded down: an alert is late by less than one second. */
export function seconds(ms: number): number {
  return Math.floor(ms / 1_000);
}

/**
 * Returns a warning halfway between the missed renewal and the emergency, and a critical alert from the emergency on.
 */
export function expiryAlert(certificate: RenewedCertificate): readonly AlertRule[] {
  const { alert, title, selector, renewBefore, needed, consequence } = certificate;
  const overdue = needed + (renewBefore - needed) / 2;
  return [
    alertRule({
      alert: `${alert}RenewalOverdue`,
      expr: `${secondsLeft(selector)} < ${seconds(overdue)}`,
      for: '10m',
      severity: 'warning',
      summary: `${title} was not renewed in time`,
      description: `cert-manager should have renewed it ${durationText(renewBefore)} before its expiry, and it expires in {{ $value | humanizeDuration }}. ${consequence}`,
    }),
    alertRule({
      alert: `${alert}Expiring`,
      expr: `${secondsLeft(selector)} < ${seconds(needed)}`,
      for: '1m',
      severity: 'critical',
      summary: `${title} expires in {{ $value | humanizeDuration }}`,
      description: `cert-manager should have renewed it ${durationText(renewBefore)} before its expiry. ${consequence}`,
    }),
  ];
}
