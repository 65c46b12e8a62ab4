import type { ChainWindows } from '#lib/constructs/pki/validity';
import { checkChains } from '#lib/constructs/pki/validity-rules';
import { facts } from '../../support/findings';
import { DAY, HOUR, VALID } from './windows';

function check(windows: Partial<ChainWindows>) {
  return checkChains({ ...VALID, ...windows });
}

const validity = (duration: number, renewBefore: number) => ({ duration, renewBefore });

test.each<[what: string, Partial<ChainWindows>]>([
  ['the defaults', {}],
  ['a proxy certificate that ends with its issuer', { identityIssuer: validity(48 * HOUR, 24 * HOUR + 20_000) }],
  ['a longer lifetime', { identityIssuer: validity(7 * DAY, 4 * DAY), issuanceLifetime: 72 * HOUR }],
  ['an issuer that ends with its anchor', { trustAnchor: validity(30 * DAY, 48 * HOUR) }],
  ['an issuer of an external trust anchor', { trustAnchor: undefined, identityIssuer: validity(9000 * DAY, 2 * DAY) }],
  ['an anchor that is renewed at half of its life', { trustAnchor: validity(4 * DAY, 2 * DAY) }],
  ['a serving certificate that ends with its CA', { webhooks: validity(30 * DAY, DAY) }],
])('synth accepts durations: %s', (_, windows) => expect(check(windows)).toEqual([]));

test.each<[what: string, finding: string, Partial<ChainWindows>, parameters: object]>([
  [
    'a proxy certificate outlives its issuer by the clock skew',
    'certificate-outlives-issuer/leaf',
    { identityIssuer: validity(48 * HOUR, 24 * HOUR) },
    { renewBefore: '24h', issuanceLifetime: '24h', clockSkewAllowance: '20s' },
  ],
  [
    'a proxy certificate with a longer lifetime outlives its issuer',
    'certificate-outlives-issuer/leaf',
    { identityIssuer: validity(7 * DAY, 4 * DAY), issuanceLifetime: 96 * HOUR },
    {},
  ],
  [
    'an issuer outlives its anchor, with two proposals',
    'certificate-outlives-issuer/issuer',
    { trustAnchor: validity(30 * DAY, 72 * HOUR), identityIssuer: validity(96 * HOUR, 25 * HOUR) },
    {
      proposed:
        '{ duration: Duration.days(30), renewBefore: Duration.days(4) }, or identityIssuer.duration to Duration.days(3) at most',
    },
  ],
  [
    'an issuer outlives its anchor, with one proposal because a shorter issuer is too short for its leaves',
    'certificate-outlives-issuer/issuer',
    { trustAnchor: validity(30 * DAY, 24 * HOUR) },
    { proposed: '{ duration: Duration.days(30), renewBefore: Duration.days(2) }' },
  ],
  [
    "an anchor is renewed in the first half of its life, as in Linkerd's guide",
    'validity-refused/anchor-renewed-late',
    { trustAnchor: validity(8760 * HOUR, 7320 * HOUR) },
    { age: '1440h (60 days)', proposed: '{ duration: Duration.days(365), renewBefore: Duration.days(60) }' },
  ],
  [
    'an anchor is renewed just before half of its life',
    'validity-refused/anchor-renewed-late',
    { trustAnchor: validity(4 * DAY, 2 * DAY + 1) },
    {},
  ],
  [
    'a serving certificate outlives its CA',
    'certificate-outlives-issuer/webhook',
    { webhookIssuer: validity(336 * HOUR, 24 * HOUR), webhooks: validity(168 * HOUR, 24 * HOUR) },
    { duration: '168h (7 days)', proposed: '{ duration: Duration.days(14), renewBefore: Duration.days(7) }' },
  ],
])('synth refuses durations: %s (%s)', (_, finding, windows, parameters) => {
  expect(check(windows).map(facts)).toMatchObject([{ finding, ...parameters }]);
});
