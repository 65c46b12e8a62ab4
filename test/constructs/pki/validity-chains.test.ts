import type { ChainWindows } from '#lib/constructs/pki/validity';
import { checkChains } from '#lib/constructs/pki/validity-rules';
import { DAY, HOUR, VALID } from './windows';

function check(windows: Partial<ChainWindows>) {
  return checkChains({ ...VALID, ...windows });
}

test('the defaults keep all rules', () => {
  expect(check({})).toEqual([]);
});

describe('a proxy certificate ends before its issuer', () => {
  test('at equality', () => {
    expect(check({ identityIssuer: { duration: 48 * HOUR, renewBefore: 24 * HOUR + 20_000 } })).toEqual([]);
  });

  test('clock skew included', () => {
    expect(check({ identityIssuer: { duration: 48 * HOUR, renewBefore: 24 * HOUR } })).toMatchObject([
      {
        code: 'certificate-outlives-issuer',
        parameters: { renewBefore: '24h', issuanceLifetime: '24h', clockSkewAllowance: '20s' },
      },
    ]);
  });

  test('for the lifetime that is really used', () => {
    const identityIssuer = { duration: 7 * DAY, renewBefore: 4 * DAY };
    expect(check({ identityIssuer, issuanceLifetime: 72 * HOUR })).toEqual([]);
    expect(check({ identityIssuer, issuanceLifetime: 96 * HOUR })).toHaveLength(1);
  });
});

describe('an issuer ends before its anchor', () => {
  test('at equality', () => {
    expect(check({ trustAnchor: { duration: 30 * DAY, renewBefore: 48 * HOUR } })).toEqual([]);
  });

  test('else it is refused, with both ways out', () => {
    const windows = {
      trustAnchor: { duration: 30 * DAY, renewBefore: 72 * HOUR },
      identityIssuer: { duration: 96 * HOUR, renewBefore: 25 * HOUR },
    };
    expect(check(windows)).toMatchObject([
      {
        code: 'certificate-outlives-issuer',
        parameters: {
          duration: '96h (4 days)',
          renewBefore: '72h (3 days)',
          proposed:
            '{ duration: Duration.days(30), renewBefore: Duration.days(4) }, or identityIssuer.duration to Duration.days(3) at most',
        },
      },
    ]);
  });

  test('a shorter issuer is no way out where it could not cover its leaves', () => {
    const [problem] = check({ trustAnchor: { duration: 30 * DAY, renewBefore: 24 * HOUR } });
    expect(problem?.parameters?.proposed).toBe('{ duration: Duration.days(30), renewBefore: Duration.days(2) }');
  });

  test('unless the anchor is not ours', () => {
    expect(check({ trustAnchor: undefined, identityIssuer: { duration: 9000 * DAY, renewBefore: 2 * DAY } })).toEqual(
      [],
    );
  });
});

describe('an anchor is renewed in the second half of its life', () => {
  test("which Linkerd's guide misses", () => {
    expect(check({ trustAnchor: { duration: 8760 * HOUR, renewBefore: 7320 * HOUR } })).toMatchObject([
      {
        code: 'validity-refused',
        parameters: {
          renewBefore: '7320h (305 days)',
          duration: '8760h (365 days)',
          age: '1440h (60 days)',
          proposed: '{ duration: Duration.days(365), renewBefore: Duration.days(60) }',
        },
      },
    ]);
  });

  test('at equality', () => {
    expect(check({ trustAnchor: { duration: 4 * DAY, renewBefore: 2 * DAY } })).toEqual([]);
    expect(check({ trustAnchor: { duration: 4 * DAY, renewBefore: 2 * DAY + 1 } })).toHaveLength(1);
  });
});

describe('a serving certificate ends before its CA', () => {
  test('at equality', () => {
    expect(check({ webhooks: { duration: 30 * DAY, renewBefore: DAY } })).toEqual([]);
  });

  test('else it is refused', () => {
    const windows = {
      webhookIssuer: { duration: 336 * HOUR, renewBefore: 24 * HOUR },
      webhooks: { duration: 168 * HOUR, renewBefore: 24 * HOUR },
    };
    expect(check(windows)).toMatchObject([
      {
        code: 'certificate-outlives-issuer',
        parameters: {
          duration: '168h (7 days)',
          renewBefore: '24h',
          proposed: '{ duration: Duration.days(14), renewBefore: Duration.days(7) }',
        },
      },
    ]);
  });
});
