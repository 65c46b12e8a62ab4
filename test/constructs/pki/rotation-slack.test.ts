import { Duration } from 'cdk8s';
import { neededTime, worstPlan } from '#anchor/worst-plan';
import type { CertManagerPKIProps } from '#lib/constructs/pki/cert-manager-pki';
import type { OperatorRotation } from '#lib/constructs/pki/operator-rotation';
import { checkRotationTime, rotationSlack, rotationSlackWarnings } from '#lib/constructs/pki/rotation-slack';
import type { OwnTrustAnchor } from '#lib/constructs/pki/trust-anchor';
import { buildOperator } from '../operator/fixture';

const MESH = {
  controlPlaneNamespace: 'linkerd',
  trustDomain: 'cluster.local',
  issuanceLifetime: Duration.hours(24),
  clockSkewAllowance: Duration.seconds(20),
};

const anchor = (renewBefore: Duration, operator: OperatorRotation = {}): OwnTrustAnchor => ({
  duration: Duration.days(365),
  renewBefore,
  rotation: 'operator',
  operator,
});

const slack = (renewBefore: Duration, operator?: OperatorRotation) =>
  rotationSlack(MESH, anchor(renewBefore, operator));

/** Returns the time of a rotation by the plan of the operator. */
const needed = (workloads: number) =>
  Duration.millis(neededTime(worstPlan(slack(Duration.days(1)).times, workloads, 'bridge')));

test('synth accepts a rotation with just enough time', () => {
  expect(checkRotationTime(slack(needed(0)))).toEqual([]);
  expect(rotationSlackWarnings(slack(needed(200)))).toEqual([]);
});

test('synth refuses a rotation that cannot end in time, and shows its schedule', () => {
  const short = slack(Duration.millis(needed(0).toMilliseconds() - 1_000));
  expect(checkRotationTime(short)).toMatchObject([
    {
      code: 'validity-refused',
      parameters: {
        announced: expect.any(String),
        signing: expect.any(String),
        expired: expect.any(String),
        late: '1s',
      },
    },
  ]);
  // The error replaces the warning.
  expect(rotationSlackWarnings(short)).toEqual([]);
});

test('synth warns of a rotation that may end too late, with the workloads to restart', () => {
  const [warning] = rotationSlackWarnings(slack(Duration.millis(needed(200).toMilliseconds() - 1_000)));
  expect(warning).toMatchObject({
    code: 'anchor-rotation-may-be-late',
    parameters: { workloads: 200, parallelRestarts: 1 },
  });
});

test('the duration that synth proposes is long enough for a rotation', () => {
  for (const workloads of [0, 200, 5_000]) {
    const short = slack(Duration.hours(24), { workloads });
    const { parameters = {} } = checkRotationTime(short)[0] ?? rotationSlackWarnings(short)[0] ?? {};
    const [, duration, renewBefore] =
      /duration: Duration.days\((\d+)\), renewBefore: Duration.days\((\d+)\)/.exec(String(parameters.proposed)) ?? [];
    const proposed = slack(Duration.days(Number(renewBefore)), { workloads });
    expect(Number(duration)).toBeGreaterThanOrEqual(2 * Number(renewBefore));
    expect([...checkRotationTime(proposed), ...rotationSlackWarnings(proposed)]).toEqual([]);
  }
});

test('a rotation with more parallel restarts, a shorter deadline or fewer workloads needs less time', () => {
  const short = Duration.hours(30);
  expect(rotationSlackWarnings(slack(short))).toHaveLength(1);
  expect(rotationSlackWarnings(slack(short, { workloads: 10 }))).toEqual([]);
  expect(rotationSlackWarnings(slack(short, { laggards: { maxUnavailableWorkloads: 50 } }))).toEqual([]);
  expect(rotationSlackWarnings(slack(short, { laggards: { progressDeadline: Duration.minutes(1) } }))).toEqual([]);
});

test('a bridge that a user signs adds a week and the restarts that follow an unsigned request', () => {
  const bridge = { signedBy: 'Request' } as const;
  const [warning, ...others] = rotationSlackWarnings(slack(Duration.days(9), { bridge }));
  expect(others).toEqual([]);
  expect(warning).toMatchObject({
    code: 'anchor-rotation-may-be-late',
    parameters: {
      renewBefore: '216h (9 days)',
      toSign: '168h (7 days)',
      workloads: 200,
      proposed: expect.stringContaining('Duration.days('),
    },
  });
  const [, renewBefore] = /renewBefore: Duration.days\((\d+)\)/.exec(String(warning?.parameters?.proposed)) ?? [];
  expect(rotationSlackWarnings(slack(Duration.days(Number(renewBefore)), { bridge }))).toEqual([]);
  expect(rotationSlackWarnings(slack(Duration.days(9)))).toEqual([]);
  expect(rotationSlackWarnings(slack(Duration.days(9), { bridge, workloads: 1 }))).toEqual([]);
});

describe('for an operator, synth reports', () => {
  const identityIssuer = { duration: Duration.hours(26), renewBefore: Duration.hours(25) };
  const findings = (trustAnchor: CertManagerPKIProps['trustAnchor']) => {
    const { errors, warnings } = buildOperator({}, { pki: { trustAnchor, identityIssuer } });
    return { errors, warnings: warnings.filter(({ code }) => code === 'anchor-rotation-may-be-late') };
  };
  const duration = Duration.days(365);

  test('a rotation without enough time as an error or a warning', () => {
    expect(findings({ duration, renewBefore: Duration.hours(30) })).toMatchObject({
      errors: [],
      warnings: [{ parameters: { renewBefore: '30h' } }],
    });
    const late = { propagationDelay: Duration.hours(3) };
    expect(findings({ duration, renewBefore: Duration.hours(30), operator: late })).toMatchObject({
      errors: [{ code: 'validity-refused', parameters: { renewBefore: '30h' } }],
      warnings: [],
    });
  });

  test('nothing about the time of a rotation by hand', () => {
    const manual = findings({ duration, renewBefore: Duration.hours(30), rotation: 'manual' });
    expect(manual).toEqual({ errors: [], warnings: [] });
  });
});
