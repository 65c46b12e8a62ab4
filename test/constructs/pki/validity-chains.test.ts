import type { ChainWindows } from '../../../lib/constructs/pki/validity';
import { checkChains } from '../../../lib/constructs/pki/validity-chains';
import { DAY, HOUR, VALID } from './windows';

function whatOf(windows: Partial<ChainWindows>): readonly string[] {
  return checkChains({ ...VALID, ...windows }).map(({ what }) => what);
}

function fixesOf(windows: Partial<ChainWindows>): readonly string[] {
  return checkChains({ ...VALID, ...windows }).map(({ fix }) => fix);
}

test('the defaults keep all rules', () => {
  expect(whatOf({})).toEqual([]);
});

describe('a proxy certificate ends before its issuer', () => {
  test('at equality', () => {
    expect(whatOf({ identityIssuer: { duration: 48 * HOUR, renewBefore: 24 * HOUR + 20_000 } })).toEqual([]);
  });

  test('clock skew included', () => {
    expect(whatOf({ identityIssuer: { duration: 48 * HOUR, renewBefore: 24 * HOUR } })).toEqual([
      'identityIssuer.renewBefore is 24h, less than 24h (issuanceLifetime) + 20s (clockSkewAllowance)',
    ]);
  });

  test('for the lifetime that is really used', () => {
    const identityIssuer = { duration: 7 * DAY, renewBefore: 4 * DAY };
    expect(whatOf({ identityIssuer, issuanceLifetime: 72 * HOUR })).toEqual([]);
    expect(whatOf({ identityIssuer, issuanceLifetime: 96 * HOUR })).toHaveLength(1);
  });
});

describe('an issuer ends before its anchor', () => {
  test('at equality', () => {
    expect(whatOf({ trustAnchor: { duration: 30 * DAY, renewBefore: 48 * HOUR } })).toEqual([]);
  });

  test('else it is refused, with both ways out', () => {
    const windows = {
      trustAnchor: { duration: 30 * DAY, renewBefore: 72 * HOUR },
      identityIssuer: { duration: 96 * HOUR, renewBefore: 25 * HOUR },
    };
    expect(whatOf(windows)).toEqual([
      'identityIssuer.duration is 96h (4 days), longer than trustAnchor.renewBefore, which is 72h (3 days)',
    ]);
    expect(fixesOf(windows)).toEqual([
      'set trustAnchor to { duration: Duration.days(30), renewBefore: Duration.days(4) }, or identityIssuer.duration to Duration.days(3) at most',
    ]);
  });

  test('a shorter issuer is no way out where it could not cover its leaves', () => {
    const [fix] = fixesOf({ trustAnchor: { duration: 30 * DAY, renewBefore: 24 * HOUR } });
    expect(fix).toBe('set trustAnchor to { duration: Duration.days(30), renewBefore: Duration.days(2) }');
  });

  test('unless the anchor is not ours', () => {
    expect(whatOf({ trustAnchor: undefined, identityIssuer: { duration: 9000 * DAY, renewBefore: 2 * DAY } })).toEqual(
      [],
    );
  });
});

describe('an anchor is renewed in the second half of its life', () => {
  test("which Linkerd's guide misses", () => {
    const [problem, ...more] = checkChains({
      ...VALID,
      trustAnchor: { duration: 8760 * HOUR, renewBefore: 7320 * HOUR },
    });
    expect(problem).toEqual({
      code: 'anchor-renewed-late',
      what: 'trustAnchor.renewBefore is 7320h (305 days), and its duration is 8760h (365 days)',
      why: 'renewBefore counts back from the end: the anchor would be due for renewal 1440h (60 days) after it was issued, and every 1440h (60 days) from then on, and each time every proxy of the mesh must be restarted',
      fix: 'set trustAnchor to { duration: Duration.days(365), renewBefore: Duration.days(60) }',
    });
    expect(more).toEqual([]);
  });

  test('at equality', () => {
    expect(whatOf({ trustAnchor: { duration: 4 * DAY, renewBefore: 2 * DAY } })).toEqual([]);
    expect(whatOf({ trustAnchor: { duration: 4 * DAY, renewBefore: 2 * DAY + 1 } })).toHaveLength(1);
  });
});

describe('a serving certificate ends before its CA', () => {
  test('at equality', () => {
    expect(whatOf({ webhooks: { duration: 30 * DAY, renewBefore: DAY } })).toEqual([]);
  });

  test('else it is refused', () => {
    const windows = {
      webhookIssuer: { duration: 336 * HOUR, renewBefore: 24 * HOUR },
      webhooks: { duration: 168 * HOUR, renewBefore: 24 * HOUR },
    };
    expect(whatOf(windows)).toEqual([
      'webhooks.duration is 168h (7 days), longer than webhookIssuer.renewBefore, which is 24h',
    ]);
    expect(fixesOf(windows)).toEqual([
      'set webhookIssuer to { duration: Duration.days(14), renewBefore: Duration.days(7) }',
    ]);
  });
});

test('all rules are checked at once', () => {
  expect(
    whatOf({
      trustAnchor: { duration: 10 * DAY, renewBefore: 6 * DAY },
      identityIssuer: { duration: 7 * DAY, renewBefore: HOUR },
      webhooks: { duration: 31 * DAY, renewBefore: DAY },
    }),
  ).toHaveLength(4);
});
