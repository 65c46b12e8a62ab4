import { DAY, HOUR } from '#base/time-units';
import { scenarioOf } from '#lib/review/report/page/state';
import type { Conditions } from '#lib/review/report/simulate/conditions';
import { type Run, simulate } from '#lib/review/report/simulate/run';
import { conditions, meshFacts } from '../mesh-facts';

function run(others: Partial<Conditions> = {}): Run {
  const scenario = scenarioOf(meshFacts(), conditions(others));
  if (scenario === undefined) throw new Error('there is an anchor');
  return simulate(scenario);
}

const phases = ({ phases }: Run) => phases.map(({ phase }) => phase);

describe('a rotation in usual conditions', () => {
  const usual = run();

  it('passes all phases in order, and ends when the last workload has restarted by itself', () => {
    expect(phases(usual).join(' ')).toBe('Stable Minted Announced Bridged Signing LeavesTurned Adopted Retired');
    expect(((usual.done ?? 0) - usual.due) / DAY).toBeCloseTo(29.1, 0);
  });

  it('restarts no workload, and breaks no pair', () => {
    expect(usual.forced).toEqual([]);
    expect(usual.identityRestarts).toEqual([]);
    expect(usual.broken).toEqual([]);
    expect(usual.checks).toBeGreaterThan(100);
  });

  it('gives both anchors to new pods until it ends', () => {
    expect(usual.bundles.map(({ keys }) => keys)).toEqual([['anchor 1'], ['anchor 1', 'anchor 2'], ['anchor 2']]);
  });

  it('signs with the bridge until the bridge phase ends', () => {
    expect(usual.issuers.map(({ signer, bridged }) => [signer, bridged])).toEqual([
      ['anchor 1', false],
      ['anchor 2', true],
      ['anchor 2', false],
    ]);
  });

  it('has the same result each time', () => expect(run()).toEqual(usual));
});

test('the simulation restarts workloads as late as is safe', () => {
  const late = run({ restartDays: 0 });
  expect(late.forced).toHaveLength(40);
  expect(late.forced[0]).toBeGreaterThanOrEqual(late.end - late.needed);
  expect(late.done).toBeLessThan(late.end);
  expect(late.broken).toEqual([]);
});

test('the simulation restarts workloads at once if the policy requires it', () => {
  const early = run({ restartDays: 0, laggards: 'Restart' });
  expect(early.forced).toHaveLength(40);
  expect(((early.done ?? 0) - early.due) / DAY).toBeLessThan(1.1);
});

test('the simulation never restarts workloads if the policy forbids it, and extends the old anchor', () => {
  const never = run({ restartDays: 0, laggards: 'Never' });
  expect(never.forced).toEqual([]);
  expect(never.done).toBeUndefined();
  expect(never.waitedFor).toContain('40');
  expect(never.actions.at(-1)?.action).toEqual({ do: 'renew-anchor', generation: 1 });
  expect(never.broken).toEqual([]);
});

test('in the simulation, an absent node delays only the end of a rotation', () => {
  const away = run({ awayDays: 90 });
  expect(((away.done ?? 0) - away.due) / DAY).toBeCloseTo(90, 0);
  expect(away.broken).toEqual([]);
});

test('in the simulation, a short outage of cert-manager delays only the start of a rotation', () => {
  const short = run({ outageHours: 0.5 });
  expect(short.broken).toEqual([]);
  const minted = short.phases.find(({ phase }) => phase === 'Minted')?.at ?? 0;
  expect((minted - short.due) / HOUR).toBeCloseTo(0.5, 1);
});

test('in the simulation, a long outage of cert-manager breaks the mesh', () => {
  const { broken, due } = run({ outageHours: 48 });
  expect(broken.length).toBeGreaterThan(0);
  expect(broken[0]?.at).toBeGreaterThan(due);
  expect(broken[0]?.pairs[0]).toEqual({ signer: 'anchor 1', roots: ['anchor 1'] });
});

test('in the simulation, clocks within the allowed skew break nothing', () => {
  expect(run({ skewMinutes: 0.25 }).done).toBeDefined();
});

test('the simulation supports a mesh of one workload, and of daily restarts', () => {
  expect(run({ workloads: 1 }).done).toBeDefined();
  expect(run({ restartDays: 1 }).done).toBeDefined();
});
