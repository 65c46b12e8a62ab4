import fc from 'fast-check';
import { leafReach } from '#lib/checks/linkerd/identity-issuer-check';
import type { ChainWindows, ValidityWindow } from '#lib/constructs/pki/validity';
import { checkChains, proposeValidity } from '#lib/constructs/pki/validity-rules';
import { runs } from '../../support/depth';
import { anyWindows } from './windows';

/** A CA that signs from `start` to its renewal, and is valid until `end`. */
interface Signer {
  readonly start: number;
  readonly end: number;
}

/** Returns the CA in use at a time, if it is issued at 0 and renewed on schedule. */
function signerAt(time: number, { duration, renewBefore }: ValidityWindow): Signer {
  const period = duration - renewBefore;
  const start = Math.floor(time / period) * period;
  return { start, end: start + duration };
}

/** Times of issuance. An issuer may be issued at any time: on schedule, by hand or because of an edit. */
interface Moments {
  readonly issuerIssued: number;
  /** When a proxy requests a certificate: 0 at the issuance of the issuer, 1 at its renewal. */
  readonly leafIssued: number;
  readonly webhookIssued: number;
}

/** Returns the certificates that outlive their signers. */
function outlived(windows: Required<ChainWindows>, moments: Moments): readonly string[] {
  const { trustAnchor, identityIssuer, webhookIssuer, webhooks } = windows;
  const issuerEnd = moments.issuerIssued + identityIssuer.duration;
  const leafIssued = moments.issuerIssued + moments.leafIssued * (identityIssuer.duration - identityIssuer.renewBefore);
  const found: string[] = [];
  if (leafIssued + leafReach(windows) > issuerEnd) found.push('leaf outlives issuer');
  if (issuerEnd > signerAt(moments.issuerIssued, trustAnchor).end) found.push('issuer outlives anchor');
  if (moments.webhookIssued + webhooks.duration > signerAt(moments.webhookIssued, webhookIssuer).end) {
    found.push('serving certificate outlives CA');
  }
  return found;
}

/** Returns the number of unexpired anchors when a new one is issued, including the new one. */
function livingAnchors({ duration, renewBefore }: ValidityWindow): number {
  return Math.ceil(duration / (duration - renewBefore));
}

const accepted = anyWindows.map((windows) => proposeValidity(windows) as Required<ChainWindows>);
const moments = fc.record({
  issuerIssued: fc.nat(1e12),
  leafIssued: fc.double({ min: 0, max: 1, noNaN: true }),
  webhookIssued: fc.nat(1e12),
});

/** Returns the last times before renewals, at which violations occur first. */
function worst({ trustAnchor, webhookIssuer }: Required<ChainWindows>): Moments {
  return {
    issuerIssued: trustAnchor.duration - trustAnchor.renewBefore - 1,
    leafIssued: 1,
    webhookIssued: webhookIssuer.duration - webhookIssuer.renewBefore - 1,
  };
}

test('no certificate outlives its signer if durations follow all rules', () => {
  fc.assert(
    fc.property(accepted, moments, (windows, when) => {
      expect(checkChains(windows)).toEqual([]);
      expect(outlived(windows, when)).toEqual([]);
      expect(outlived(windows, worst(windows))).toEqual([]);
    }),
    { numRuns: runs(3_000) },
  );
});

test('at most two trust anchors are valid at a time if durations follow all rules', () => {
  fc.assert(
    fc.property(accepted, ({ trustAnchor }) => {
      expect(livingAnchors(trustAnchor)).toBeLessThanOrEqual(2);
    }),
  );
});
