import { Duration } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { type DurationLike, durationFactory, goDurationOf, milliseconds } from '#kubernetes/options/duration-like';
import { DURATION, keysOf } from '#kubernetes/options/known-keys';
import type { CertificateWindow } from '../../checks/certificate-chains';
import type { LeafLifetime } from '../../checks/linkerd/identity-issuer-check';
import { propOfClass } from '../../gitops/tree/prop-of-shape';

/** How long a certificate is valid, and when it is renewed. */
export interface Validity {
  /** Time from issuance to expiry. At least 1 hour. */
  readonly duration: DurationLike;

  /** Time before expiry at which the certificate is renewed. At least 5 minutes, and less than `duration`. */
  readonly renewBefore: DurationLike;
}

/** A `Validity` with both members as Durations. */
export interface ResolvedValidity {
  /** Time from issuance to expiry. */
  readonly duration: Duration;
  /** Time before expiry at which the certificate is renewed. */
  readonly renewBefore: Duration;
}

/** The keys of Validity. */
export const VALIDITY = keysOf<Validity>({ duration: DURATION, renewBefore: DURATION });

/** The anchor's validity, unless set. */
export const USUAL_ANCHOR = { duration: Duration.days(3650), renewBefore: Duration.days(365) };

/** The validities of the certificates below the anchor, unless set. */
export const USUAL_VALIDITIES = {
  identityIssuer: { duration: Duration.hours(48), renewBefore: Duration.hours(25) },
  webhookIssuer: { duration: Duration.days(365), renewBefore: Duration.days(30) },
  webhooks: { duration: Duration.days(7), renewBefore: Duration.days(2) },
} as const satisfies Record<string, ResolvedValidity>;

/** A `Validity` in milliseconds. */
export type ValidityWindow = CertificateWindow;

/** The windows of certificates that depend on each other, named as the props of CertManagerPKI. */
export interface ChainWindows extends LeafLifetime {
  /** Absent if the library does not renew the anchor. */
  readonly trustAnchor?: ValidityWindow;
  readonly identityIssuer: ValidityWindow;
  readonly webhookIssuer: ValidityWindow;
  readonly webhooks: ValidityWindow;
}

/** Converts a `Validity` to milliseconds. */
export function validityWindow({ duration, renewBefore }: Validity): ValidityWindow {
  return { duration: milliseconds(duration), renewBefore: milliseconds(renewBefore) };
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
 * Returns the validity that a prop sets, with values for missing members, which `checkOmissions` reports. Reports
 * values that are not durations at the construct, and replaces them.
 */
export function validityProp<V extends Validity>(
  scope: IConstruct,
  field: string,
  given: V,
  instead: ResolvedValidity,
): V & ResolvedValidity {
  const whole = goDurationOf(given);
  const { duration, renewBefore } = whole === undefined ? given : { duration: whole, renewBefore: undefined };
  const read = (key: keyof Validity, value: unknown, byDefault: Duration) =>
    propOfClass(scope, 'Duration', { field: `${field}.${key}`, value: value ?? undefined, instead: byDefault });
  const others = whole === undefined ? given : ({} as V);
  if ((duration ?? undefined) === undefined) {
    const before = read('renewBefore', renewBefore, instead.renewBefore);
    const isLonger = milliseconds(before) < milliseconds(instead.duration);
    const byDefault = isLonger ? instead.duration : Duration.millis(2 * milliseconds(before));
    return { ...others, duration: byDefault, renewBefore: before };
  }
  const valid = read('duration', duration, instead.duration);
  // The default of cert-manager.
  const third = Duration.millis(Math.ceil(milliseconds(valid) / 3));
  const isOmitted = (renewBefore ?? undefined) === undefined;
  return {
    ...others,
    duration: valid,
    renewBefore: isOmitted ? third : read('renewBefore', renewBefore, instead.renewBefore),
  };
}

/** Returns the members of a validity that a prop lacks. */
export function omissionsOf(given: Validity | undefined): readonly (keyof Validity)[] {
  if (given === undefined) return [];
  const members: readonly (keyof Validity)[] = ['duration', 'renewBefore'];
  if (goDurationOf(given) !== undefined) return ['renewBefore'];
  return members.filter((key) => (given[key] ?? undefined) === undefined);
}
