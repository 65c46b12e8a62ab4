import type { Duration } from 'cdk8s';
import { FREE, keysOf } from '../../kubernetes/known-keys';

/** The time for which a certificate is valid, and that of its renewal. */
export interface Validity {
  /** From issuance to expiry. At least 1 hour. */
  readonly duration: Duration;

  /** Time before expiry at which it is renewed, counted back from the end. At least 5 minutes, less than `duration`. */
  readonly renewBefore: Duration;
}

/** The keys of Validity. */
export const VALIDITY = keysOf<Validity>({ duration: FREE, renewBefore: FREE });

/** A `Validity` in milliseconds. */
export interface ValidityWindow {
  readonly duration: number;
  readonly renewBefore: number;
}

/** The certificates whose validity depends on each other, named as the props of CertManagerPKI. */
export interface ChainWindows {
  /** Absent where the anchor is not ours to renew. */
  readonly trustAnchor?: ValidityWindow;
  readonly identityIssuer: ValidityWindow;
  readonly webhookIssuer: ValidityWindow;
  readonly webhooks: ValidityWindow;
  /** Lifetime of the certificates that Linkerd's identity controller gives to proxies. */
  readonly issuanceLifetime: number;
  /** The time that the identity controller adds to both ends of that lifetime. */
  readonly clockSkewAllowance: number;
}

/** A `Validity` in plain numbers, so that rules are arithmetic. */
export function validityWindow({ duration, renewBefore }: Validity): ValidityWindow {
  return { duration: milliseconds(duration), renewBefore: milliseconds(renewBefore) };
}

/** A duration's milliseconds, with a fraction if it has one. */
export function milliseconds(duration: Duration): number {
  return duration.toMilliseconds({ integral: false });
}

/**
 * Returns the time by which a proxy's certificate reaches beyond the moment of its issuance (linkerd2, pkg/tls/ca.go,
 * Validity.Window).
 */
export function leafReach(windows: Pick<ChainWindows, 'issuanceLifetime' | 'clockSkewAllowance'>): number {
  return windows.issuanceLifetime + windows.clockSkewAllowance;
}
