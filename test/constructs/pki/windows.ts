import fc from 'fast-check';
import { MINUTE } from '#base/time-units';
import type { ChainWindows, ValidityWindow } from '#lib/constructs/pki/validity';

export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The defaults of CertManagerPKI, which break no rule. */
export const VALID: ChainWindows = {
  trustAnchor: { duration: 3650 * DAY, renewBefore: 365 * DAY },
  identityIssuer: { duration: 48 * HOUR, renewBefore: 25 * HOUR },
  webhookIssuer: { duration: 365 * DAY, renewBefore: 30 * DAY },
  webhooks: { duration: 7 * DAY, renewBefore: 2 * DAY },
  issuanceLifetime: 24 * HOUR,
  clockSkewAllowance: 20_000,
};

function windowUpTo(longest: number): fc.Arbitrary<ValidityWindow> {
  const time = fc.oneof(
    fc.integer({ min: 0, max: 120 }).map((minutes) => minutes * MINUTE),
    fc.integer({ min: 0, max: longest }),
    fc.integer({ min: 0, max: longest / HOUR }).map((count) => count * HOUR),
  );
  return fc.record({ duration: time, renewBefore: time });
}

/** Random windows, most of which break a rule. */
export const anyWindows: fc.Arbitrary<ChainWindows> = fc.record({
  trustAnchor: windowUpTo(4000 * DAY),
  identityIssuer: windowUpTo(30 * DAY),
  webhookIssuer: windowUpTo(400 * DAY),
  webhooks: windowUpTo(30 * DAY),
  issuanceLifetime: fc.integer({ min: 1, max: 4 * DAY }),
  clockSkewAllowance: fc.integer({ min: 0, max: HOUR }),
});
