import { Duration } from 'cdk8s';
import type { IConstruct } from 'constructs';
import type { Problem } from '#base/findings/problem';
import { GO_DURATION_MAX_MS } from '#base/go-duration';
import { DAY } from '#base/time-units';
import { addRule } from '../../gitops/tree/add-rule';
import { propOfClass } from '../../gitops/tree/prop-of-shape';
import { durationFactory, goDuration, milliseconds } from '../../kubernetes/go-duration';
import { FREE, keysOf } from '../../kubernetes/known-keys';
import { PKI_FINDINGS } from './findings';

/** How long a certificate is valid, and when it is renewed. */
export interface Validity {
  /** From issuance to expiry. At least 1 hour. */
  readonly duration: Duration;

  /** Time before expiry at which it is renewed. At least 5 minutes, and less than `duration`. */
  readonly renewBefore: Duration;
}

/** The keys of Validity. */
export const VALIDITY = keysOf<Validity>({ duration: FREE, renewBefore: FREE });

/** A `Validity` in milliseconds. */
export interface ValidityWindow {
  readonly duration: number;
  readonly renewBefore: number;
}

/** The windows of certificates that depend on each other, named as the props of CertManagerPKI. */
export interface ChainWindows {
  /** Absent if the library does not renew the anchor. */
  readonly trustAnchor?: ValidityWindow;
  readonly identityIssuer: ValidityWindow;
  readonly webhookIssuer: ValidityWindow;
  readonly webhooks: ValidityWindow;
  /** Lifetime of the certificates that Linkerd's identity controller issues to proxies. */
  readonly issuanceLifetime: number;
  /** The time that the identity controller adds to both ends of that lifetime. */
  readonly clockSkewAllowance: number;
}

/** Converts a `Validity` to numbers, so that rules are arithmetic. */
export function validityWindow({ duration, renewBefore }: Validity): ValidityWindow {
  return { duration: milliseconds(duration), renewBefore: milliseconds(renewBefore) };
}

/** Returns how far a proxy's certificate extends beyond its issuance (linkerd2, pkg/tls/ca.go, Validity.Window). */
export function leafReach(windows: Pick<ChainWindows, 'issuanceLifetime' | 'clockSkewAllowance'>): number {
  return windows.issuanceLifetime + windows.clockSkewAllowance;
}

/** Formats a duration in milliseconds as it is emitted, long ones with their days: `25h`, `1440h (60 days)`. */
export function durationText(ms: number): string {
  // A fraction cannot be emitted, which other rules report: messages round it.
  const rounded = Math.min(Math.max(Math.round(ms), 0), GO_DURATION_MAX_MS);
  const text = goDuration(Duration.millis(rounded));
  return rounded > 2 * DAY && rounded % DAY === 0 ? `${text} (${rounded / DAY} days)` : text;
}

/** Formats a duration in milliseconds as code: `Duration.hours(25)`. */
export function durationCode(ms: number): string {
  const [count, unit] = durationFactory(Math.round(ms)) ?? [ms, 'millis'];
  return `Duration.${unit}(${count})`;
}

/** Formats a window as code. */
export function windowCode({ duration, renewBefore }: ValidityWindow): string {
  return `{ duration: ${durationCode(duration)}, renewBefore: ${durationCode(renewBefore)} }`;
}

/**
 * Returns the validity that a prop sets. Missing values and values that are not Durations are reported at the
 * construct, and replaced.
 */
export function validityProp<V extends Validity>(scope: IConstruct, field: string, given: V, instead: Validity): V {
  const duration = (key: keyof Validity) => {
    const value: unknown = given[key] ?? undefined;
    if (value === undefined) addRule(scope, () => [incomplete(`${field}.${key}`)]);
    return propOfClass(scope, 'Duration', { field: `${field}.${key}`, value, instead: instead[key] });
  };
  return { ...given, duration: duration('duration'), renewBefore: duration('renewBefore') };
}

function incomplete(field: string): Problem {
  return PKI_FINDINGS.validityRefusedIncomplete({ field });
}
