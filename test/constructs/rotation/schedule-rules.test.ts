import { checkSchedule, type RotationSchedule } from '../../../lib/constructs/rotation/schedule-rules';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

function whats(schedule: string, more: Partial<RotationSchedule> = {}): readonly string[] {
  return problems(schedule, more).map(({ what }) => what);
}

function problems(schedule: string, more: Partial<RotationSchedule> = {}) {
  return checkSchedule({
    schedule,
    startingDeadline: 10 * MINUTE,
    activeDeadline: 15 * MINUTE,
    windows: windows(25, 48),
    ...more,
  });
}

function windows(identity: number, webhooks: number): RotationSchedule['windows'] {
  return {
    identityIssuer: { duration: 48 * HOUR, renewBefore: identity * HOUR },
    webhooks: { duration: 168 * HOUR, renewBefore: webhooks * HOUR },
  };
}

test.each(['25 */6 * * *', '0 0 * * *', '@daily', '@every 24h'])('%s is fine', (schedule) => {
  expect(problems(schedule)).toEqual([]);
});

test('what Kubernetes refuses is all that is said about it', () => {
  expect(whats('61 * * * *')).toEqual([expect.stringContaining('"61" is no minute')]);
});

test('a date that does not exist', () => {
  expect(whats('0 0 30 2 *')).toEqual(['schedule is "0 0 30 2 *", a date that does not exist']);
});

test.each([
  ['*/15 * * * *', 1],
  ['*/16 * * * *', 1],
  ['*/20 * * * *', 0],
  ['0,10 */6 * * *', 1],
  ['@every 15m', 1],
  ['@every 16m', 0],
])('%s leaves %d times too little between runs', (schedule, count) => {
  expect(whats(schedule)).toEqual(
    Array(count).fill(expect.stringMatching(/^schedule is ".*", which runs again after .*, but a run may take 15m$/)),
  );
});

describe('a renewed certificate is in use before the one before has expired', () => {
  test.each([
    ['@every 24h', 24 * HOUR + 25 * MINUTE, []],
    ['@every 24h', 24 * HOUR + 25 * MINUTE - 1, ['webhooks']],
  ])('%s with %d ms', (schedule, renewBefore, names) => {
    const { identityIssuer, webhooks } = windows(25, 0);
    const found = whats(schedule, { windows: { identityIssuer, webhooks: { ...webhooks, renewBefore } } });
    expect(found).toEqual(names.map((name) => expect.stringContaining(`${name}.renewBefore is`)));
  });

  test('for each kind of certificate', () => {
    expect(problems('@weekly', { windows: windows(25, 48) })).toEqual([
      {
        code: 'schedule-misses-window',
        what: 'schedule is "@weekly", with up to 168h (7 days) between runs, but identityIssuer.renewBefore is 25h',
        why: expect.stringContaining('that can be 168h25m later'),
        fix: 'run more often, or set identityIssuer.renewBefore of CertManagerPKI to Duration.hours(169) or more',
      },
      expect.objectContaining({ what: expect.stringContaining('but webhooks.renewBefore is 48h') }),
    ]);
  });

  test('as after a weekend', () => {
    expect(whats('0 12 * * mon-fri')).toHaveLength(2);
    expect(whats('0 12 * * mon-fri', { windows: windows(73, 73) })).toEqual([]);
  });
});

test('both at once', () => {
  expect(whats('0,10 0 * * 0')).toHaveLength(3);
});
