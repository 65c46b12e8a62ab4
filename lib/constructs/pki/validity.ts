import { Duration } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { DAY, HOUR } from '../../../operator/api/time-units';
import { addRule } from '../../gitops/tree/add-rule';
import { propOfClass } from '../../gitops/tree/prop-of-shape';
import type { Problem } from '../../kubernetes/findings/problem';
import { GO_DURATION_MAX_MS, goDuration } from '../../kubernetes/go-duration';
import { FREE, keysOf } from '../../kubernetes/known-keys';
import { PKI_FINDINGS } from './findings';

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

/** A duration in milliseconds as it is emitted, long ones with their days: `25h`, `1440h (60 days)`. */
export function durationText(ms: number): string {
  // A fraction cannot be emitted, which other rules report: messages show it rounded.
  const rounded = Math.min(Math.max(Math.round(ms), 0), GO_DURATION_MAX_MS);
  const text = goDuration(Duration.millis(rounded));
  return rounded > 2 * DAY && rounded % DAY === 0 ? `${text} (${rounded / DAY} days)` : text;
}

const UNITS = [
  ['days', DAY],
  ['hours', HOUR],
  ['minutes', 60_000],
  ['seconds', 1_000],
] as const;

/** A duration in milliseconds as a user writes it: `Duration.hours(25)`. */
export function durationCode(ms: number): string {
  const rounded = Math.round(ms);
  const [unit, size] = UNITS.find(([, size]) => rounded % size === 0) ?? ['millis', 1];
  return `Duration.${unit}(${rounded / size})`;
}

/** A window as a user writes it. */
export function windowCode({ duration, renewBefore }: ValidityWindow): string {
  return `{ duration: ${durationCode(duration)}, renewBefore: ${durationCode(renewBefore)} }`;
}

/** A validity that a prop gives; what of it is missing or no Duration is reported at the construct, and replaced. */
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
