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

describe('a rotation in usual times', () => {
  const usual = run();

  it('passes all phases in their order, and is done when the last workload has restarted by itself', () => {
    expect(phases(usual).join(' ')).toBe('Stable Minted Announced Bridged Signing LeavesTurned Adopted Retired');
    expect(((usual.done ?? 0) - usual.due) / DAY).toBeCloseTo(29.1, 0);
  });

  it('restarts nothing, and breaks no pair', () => {
    expect(usual.forced).toEqual([]);
    expect(usual.identityRestarts).toEqual([]);
    expect(usual.broken).toEqual([]);
    expect(usual.checks).toBeGreaterThan(100);
  });

  it('gives both anchors to new pods while it goes on', () => {
    expect(usual.bundles.map(({ keys }) => keys)).toEqual([['anchor 1'], ['anchor 1', 'anchor 2'], ['anchor 2']]);
  });

  it('signs over the bridge, and without it as soon as that is over', () => {
    expect(usual.issuers.map(({ signer, bridged }) => [signer, bridged])).toEqual([
      ['anchor 1', false],
      ['anchor 2', true],
      ['anchor 2', false],
    ]);
  });

  it('is the same each time', () => {
    expect(run()).toEqual(usual);
  });
});

test('workloads that never restart are restarted as late as that is safe', () => {
  const late = run({ restartDays: 0 });
  expect(late.forced).toHaveLength(40);
  expect(late.forced[0]).toBeGreaterThanOrEqual(late.end - late.needed);
  expect(late.done).toBeLessThan(late.end);
  expect(late.broken).toEqual([]);
});

test('they are restarted at once where the policy says so', () => {
  const early = run({ restartDays: 0, laggards: 'Restart' });
  expect(early.forced).toHaveLength(40);
  expect(((early.done ?? 0) - early.due) / DAY).toBeLessThan(1.1);
});

test('and never where that is the policy, so that the old anchor has to be extended', () => {
  const never = run({ restartDays: 0, laggards: 'Never' });
  expect(never.forced).toEqual([]);
  expect(never.done).toBeUndefined();
  expect(never.waitedFor).toContain('40');
  expect(never.actions.at(-1)?.action).toEqual({ do: 'renew-anchor', generation: 1 });
  expect(never.broken).toEqual([]);
});

test('a node that is away delays the end, and nothing else', () => {
  const away = run({ awayDays: 90 });
  expect(((away.done ?? 0) - away.due) / DAY).toBeCloseTo(90, 0);
  expect(away.broken).toEqual([]);
});

test('an outage of cert-manager delays the beginning; a short one breaks nothing', () => {
  const short = run({ outageHours: 0.5 });
  expect(short.broken).toEqual([]);
  const minted = short.phases.find(({ phase }) => phase === 'Minted')?.at ?? 0;
  expect((minted - short.due) / HOUR).toBeCloseTo(0.5, 1);
});

test('one that is longer than the identity issuer has to spare is seen to break the mesh', () => {
  const { broken, due } = run({ outageHours: 48 });
  expect(broken.length).toBeGreaterThan(0);
  expect(broken[0]?.at).toBeGreaterThan(due);
  expect(broken[0]?.pairs[0]).toEqual({ signer: 'anchor 1', roots: ['anchor 1'] });
});

test('clocks within the allowance are no obstacle', () => {
  expect(run({ skewMinutes: 0.25 }).done).toBeDefined();
});

test('a mesh of one workload, and one that restarts each day', () => {
  expect(run({ workloads: 1 }).done).toBeDefined();
  expect(run({ restartDays: 1 }).done).toBeDefined();
});
