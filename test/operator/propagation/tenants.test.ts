import fc from 'fast-check';
import { runs } from '../../support/depth';
import { type Behaviour, DEADLINE, OBSTACLES, SimulatedTenants, STEP, type Tenant } from './simulated-tenants';

const NO_DEADLINE = 2_147_483_647;

const tenant = (...behaviours: readonly Behaviour[]): fc.Arbitrary<Tenant> =>
  fc.record({
    behaviour: fc.constantFrom(...behaviours),
    kind: fc.constantFrom('Deployment', 'StatefulSet', 'DaemonSet'),
    ownDeadlineSeconds: fc.constantFrom(20, 600, NO_DEADLINE),
    delay: fc.nat(3),
  });
const scenario = (...good: readonly fc.Arbitrary<readonly Tenant[]>[]) =>
  fc.record({
    bad: fc.array(tenant(...OBSTACLES), { maxLength: 10 }),
    good: fc.tuple(...good).map((tenants) => tenants.flat()),
    /** Whether the operator crashes in each step. The list repeats. */
    crashed: fc.array(fc.boolean(), { minLength: 1, maxLength: 12 }),
    places: fc.integer({ min: 1, max: 3 }),
    rotation: fc.nat(20),
  });
type Scenario = typeof ALL_WELL extends fc.Arbitrary<infer T> ? T : never;

const honest = fc.array(tenant('honest'), { minLength: 1, maxLength: 6 });
const ALL_WELL = scenario(honest);

function clusterOf({ bad, good, places, rotation }: Scenario): SimulatedTenants {
  const all = [...bad, ...good];
  const at = rotation % all.length;
  return new SimulatedTenants([...all.slice(at), ...all.slice(0, at)], places);
}

/** Enough steps for one restart of each tenant, and then of all others. */
function stepsFor({ bad, good }: Scenario): number {
  const namespaces = new Set(bad.map(({ behaviour }) => behaviour)).size;
  return (namespaces + 1) * (DEADLINE / STEP + 2) + good.length * 6;
}

const isRestarted = (cluster: SimulatedTenants): boolean =>
  cluster.workloads.every(({ behaviour, writes }) => behaviour !== 'honest' || writes === 1);

/** Checks at each call that no slot is held for longer than the deadline. */
function placeWatch(cluster: SimulatedTenants, places: number): () => void {
  let heldSince = new Map<string, number>();
  return () => {
    expect(cluster.held.length).toBeLessThanOrEqual(places);
    heldSince = new Map(cluster.held.map((id) => [id, heldSince.get(id) ?? cluster.now]));
    for (const [id, since] of heldSince)
      expect({ id, isOver: cluster.now - since > DEADLINE }).toEqual({ id, isOver: false });
  };
}

test('whatever tenants do, each slot is free after the deadline, and all other workloads restart once', () => {
  fc.assert(
    fc.property(ALL_WELL, (of) => {
      const cluster = clusterOf(of);
      const watch = placeWatch(cluster, of.places);
      cluster.run(stepsFor(of), of.crashed, () => {
        watch();
        return false;
      });
      expect(isRestarted(cluster)).toBe(true);
    }),
    { numRuns: runs(80) },
  );
});

test('the status names each workload whose restart is incomplete, and the operator restarts no workload twice', () => {
  fc.assert(
    fc.property(ALL_WELL, (of) => {
      const cluster = clusterOf(of);
      cluster.run(stepsFor(of) + of.bad.length * 14, [false], ({ report: { status, degraded } }) => {
        const named = status.passedBy?.restarts.slice(0, 5) ?? [];
        if (named.length > 0 && degraded?.reason !== 'RolloutStuck') expect(degraded?.reason).toBe('RestartIncomplete');
        if (degraded?.reason !== 'RestartIncomplete') return false;
        expect(named.filter(({ workload }) => !degraded.message.includes(workload))).toEqual([]);
        return false;
      });
      expect(cluster.workloads.filter(({ writes }) => writes > 1)).toEqual([]);
    }),
    { numRuns: runs(30) },
  );
});

test('new pods with a proxy that do not start stop all restarts until they start, whatever tenants do', () => {
  fc.assert(
    fc.property(scenario(honest, fc.tuple(tenant('failing'))), (of) => {
      const cluster = clusterOf(of);
      const wrong = cluster.workloads.find(({ behaviour }) => behaviour === 'failing');
      if (wrong === undefined) throw new Error('there is none');
      const isJudged = () => wrong.restarted !== undefined && cluster.now > wrong.restarted + DEADLINE + STEP;
      expect(cluster.run(600, of.crashed, isJudged)).toBe(true);
      cluster.run(40, of.crashed, ({ report, actions }) => {
        expect(actions).toEqual([]);
        expect(report.degraded?.reason).toBe('RolloutStuck');
        expect(report.degraded?.message).toContain(cluster.idOf(wrong));
        return false;
      });
      cluster.isCured = true;
      expect(cluster.run(600, of.crashed, () => isRestarted(cluster))).toBe(true);
    }),
    { numRuns: runs(40) },
  );
});

test('restarts stop after the first few workloads if no pod starts with the configuration', () => {
  fc.assert(
    fc.property(scenario(fc.array(tenant('failing'), { minLength: 5, maxLength: 9 })), (of) => {
      const cluster = clusterOf({ ...of, bad: [] });
      cluster.run(60, of.crashed, () => false);
      expect(cluster.workloads.filter(({ writes }) => writes > 0)).toHaveLength(of.places);
    }),
    { numRuns: runs(30) },
  );
});
