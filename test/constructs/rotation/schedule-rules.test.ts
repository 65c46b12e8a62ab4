import { HOUR, MINUTE } from '#base/time-units';
import { checkSchedule, type RotationSchedule } from '#lib/constructs/rotation/schedule-rules';

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

test.each(['25 */6 * * *', '0 0 * * *', '@daily', '@every 24h'])('synth accepts the rotation schedule %s', (schedule) =>
  expect(problems(schedule)).toEqual([]),
);

test('synth reports only one problem of a schedule that Kubernetes refuses', () => {
  expect(problems('61 * * * *')).toMatchObject([
    {
      code: 'cron-expression-refused',
      cause: 'out-of-range',
      parameters: { expression: '61 * * * *', part: 'minute' },
    },
  ]);
});

test('synth refuses a schedule on a date that does not exist', () => {
  expect(problems('0 0 30 2 *')).toMatchObject([
    { code: 'schedule-never-runs', parameters: { schedule: '0 0 30 2 *' } },
  ]);
});

test.each([
  ['*/15 * * * *', 1],
  ['*/16 * * * *', 1],
  ['*/20 * * * *', 0],
  ['0,10 */6 * * *', 1],
  ['@every 15m', 1],
  ['@every 16m', 0],
])('the schedule %s has problems with runs that overlap: %d', (schedule, count) => {
  const finding = { code: 'schedule-overlaps', parameters: { schedule, longestRun: '15m' } };
  expect(problems(schedule)).toMatchObject(Array(count).fill(finding));
});

describe('the schedule must restart pods before their former certificate expires', () => {
  test.each([
    ['@every 24h', 24 * HOUR + 25 * MINUTE, []],
    ['@every 24h', 24 * HOUR + 25 * MINUTE - 1, ['webhooks']],
  ])('with %s and a renewBefore of %d ms: it is too late for %j', (schedule, renewBefore, names) => {
    const { identityIssuer, webhooks } = windows(25, 0);
    const found = problems(schedule, { windows: { identityIssuer, webhooks: { ...webhooks, renewBefore } } });
    expect(found).toMatchObject(names.map((window) => ({ code: 'schedule-misses-window', parameters: { window } })));
  });

  test('for each kind of certificate', () => {
    expect(problems('@weekly', { windows: windows(25, 48) })).toMatchObject([
      {
        code: 'schedule-misses-window',
        parameters: {
          schedule: '@weekly',
          longest: '168h (7 days)',
          window: 'identityIssuer',
          renewBefore: '25h',
          needed: '168h25m',
          least: 'Duration.hours(169)',
        },
      },
      { code: 'schedule-misses-window', parameters: { window: 'webhooks', renewBefore: '48h' } },
    ]);
  });

  test('even after a weekend', () => {
    expect(problems('0 12 * * mon-fri')).toHaveLength(2);
    expect(problems('0 12 * * mon-fri', { windows: windows(73, 73) })).toEqual([]);
  });
});

test('synth reports short gaps and late renewals of a schedule at once', () => {
  expect(problems('0,10 0 * * 0')).toHaveLength(3);
});
