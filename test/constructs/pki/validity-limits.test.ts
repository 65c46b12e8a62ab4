import type { ChainWindows, ValidityWindow } from '#lib/constructs/pki/validity';
import { checkLimits } from '#lib/constructs/pki/validity-rules';
import { HOUR, VALID } from './windows';

const MEMBERS = ['trustAnchor', 'identityIssuer', 'webhookIssuer', 'webhooks'] as const;

function withWindow(member: (typeof MEMBERS)[number], window: ValidityWindow): ChainWindows {
  return { ...VALID, [member]: window };
}

test('the defaults keep all limits', () => {
  expect(checkLimits(VALID)).toEqual([]);
});

test('an anchor that is not ours has no limits', () => {
  const { trustAnchor, ...others } = VALID;
  expect(checkLimits(others)).toEqual([]);
});

describe.each(MEMBERS)('%s', (member) => {
  test('is valid for at least an hour', () => {
    const [problem, ...more] = checkLimits(withWindow(member, { duration: HOUR - 1, renewBefore: 300_000 }));
    expect(problem).toMatchObject({
      code: 'validity-refused',
      parameters: { certificate: member, duration: '59m59s999ms' },
    });
    expect(more).toEqual([]);
    expect(checkLimits(withWindow(member, { duration: HOUR, renewBefore: 300_000 }))).toEqual([]);
  });

  test('is renewed at least five minutes before it expires', () => {
    const [problem, ...more] = checkLimits(withWindow(member, { duration: HOUR, renewBefore: 299_999 }));
    expect(problem).toMatchObject({
      code: 'validity-refused',
      parameters: { certificate: member, renewBefore: '4m59s999ms' },
    });
    expect(more).toEqual([]);
  });

  test('is renewed after it was issued', () => {
    const [problem, ...more] = checkLimits(withWindow(member, { duration: HOUR, renewBefore: HOUR }));
    expect(problem).toMatchObject({
      code: 'validity-refused',
      parameters: {
        certificate: member,
        renewBefore: '1h',
        duration: '1h',
        proposed: expect.stringMatching(/^\{ duration: Duration/),
      },
    });
    expect(more).toEqual([]);
    expect(checkLimits(withWindow(member, { duration: HOUR, renewBefore: HOUR - 1 }))).toEqual([]);
  });
});

test('reports all violations at once', () => {
  const wrong = { duration: 60_000, renewBefore: 60_000 };
  expect(
    checkLimits({ ...VALID, trustAnchor: wrong, identityIssuer: wrong, webhookIssuer: wrong, webhooks: wrong }),
  ).toHaveLength(12);
});
