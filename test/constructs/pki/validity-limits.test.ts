import type { ChainWindows, ValidityWindow } from '#lib/constructs/pki/validity';
import { checkLimits } from '#lib/constructs/pki/validity-rules';
import { HOUR, VALID } from './windows';

const MEMBERS = ['trustAnchor', 'identityIssuer', 'webhookIssuer', 'webhooks'] as const;

function withWindow(member: (typeof MEMBERS)[number], window: ValidityWindow): ChainWindows {
  return { ...VALID, [member]: window };
}

test('the validity of an external anchor has no limits', () => {
  const { trustAnchor, ...others } = VALID;
  expect(checkLimits(others)).toEqual([]);
});

describe.each(MEMBERS)('the check of %s', (certificate) => {
  test.each([
    ['a duration below an hour', HOUR - 1, 300_000, { duration: '59m59s999ms' }],
    ['a renewal less than five minutes before expiry', HOUR, 299_999, { renewBefore: '4m59s999ms' }],
    ['a renewal at the time of issuance', HOUR, HOUR, { proposed: expect.stringMatching(/^\{ duration: Duration/) }],
  ])('refuses %s', (_, duration, renewBefore, parameters) => {
    expect(checkLimits(withWindow(certificate, { duration, renewBefore }))).toMatchObject([
      { code: 'validity-refused', parameters: { certificate, ...parameters } },
    ]);
  });

  test.each([300_000, HOUR - 1])('accepts a duration of an hour with a renewal %d ms before expiry', (renewBefore) => {
    expect(checkLimits(withWindow(certificate, { duration: HOUR, renewBefore }))).toEqual([]);
  });
});

test('synth reports all violations of validity limits at once', () => {
  const wrong = { duration: 60_000, renewBefore: 60_000 };
  expect(
    checkLimits({ ...VALID, trustAnchor: wrong, identityIssuer: wrong, webhookIssuer: wrong, webhooks: wrong }),
  ).toHaveLength(12);
});
