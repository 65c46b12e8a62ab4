import fc from 'fast-check';
import { runs } from '../../support/depth';
import { SimulatedCluster } from './simulated-cluster';
import { MAX_UNAVAILABLE, SimulatedOperator, WATCHES } from './simulated-operator';

const WORKLOADS = ['a', 'b', 'c', 'd', 'e'];
const ALL = ['linkerd-proxy-injector', ...WORKLOADS];

type Move =
  | { readonly move: 'config'; readonly to: number }
  | { readonly move: 'control' | 'evict'; readonly which: number }
  | { readonly move: 'tick' }
  | { readonly move: 'see'; readonly operator: number; readonly watch: number }
  | { readonly move: 'read-config' | 'restart' | 'follow'; readonly operator: number }
  | { readonly move: 'reconcile'; readonly operator: number; readonly crash?: Crash };
type Crash = { readonly writes: number; readonly isLastMade: boolean };

const which = fc.nat(ALL.length - 1);
const crash = fc.record({ writes: fc.nat(3), isLastMade: fc.boolean() });

function moves(operators: number): fc.Arbitrary<Move> {
  const operator = fc.nat(operators - 1);
  return fc.oneof(
    { weight: 1, arbitrary: fc.record({ move: fc.constant('config' as const), to: fc.nat(2) }) },
    { weight: 6, arbitrary: fc.record({ move: fc.constant('control' as const), which }) },
    { weight: 1, arbitrary: fc.record({ move: fc.constant('evict' as const), which }) },
    { weight: 2, arbitrary: fc.record({ move: fc.constant('tick' as const) }) },
    {
      weight: 6,
      arbitrary: fc.record({ move: fc.constant('see' as const), operator, watch: fc.nat(WATCHES.length - 1) }),
    },
    { weight: 2, arbitrary: fc.record({ move: fc.constant('read-config' as const), operator }) },
    { weight: 1, arbitrary: fc.record({ move: fc.constant('restart' as const), operator }) },
    { weight: 6, arbitrary: fc.record({ move: fc.constant('follow' as const), operator: fc.constant(0) }) },
    {
      weight: 6,
      arbitrary: fc.record(
        { move: fc.constant('reconcile' as const), operator, crash },
        { requiredKeys: ['move', 'operator'] },
      ),
    },
  );
}

/** A run of the simulation with its counters. */
class Run {
  readonly cluster: SimulatedCluster;
  readonly operators: readonly SimulatedOperator[];
  changes = 0;
  /** True if each possible event happens at some time. */
  private isFair = false;

  constructor(operators: number, choices: readonly number[]) {
    let turn = 0;
    const choose = (count: number): number => {
      turn += 1;
      return (this.isFair ? turn : (choices[turn % choices.length] ?? 0)) % count;
    };
    this.cluster = new SimulatedCluster(choose);
    this.operators = Array.from({ length: operators }, () => new SimulatedOperator(this.cluster));
  }

  async make(move: Move): Promise<void> {
    const { cluster } = this;
    switch (move.move) {
      case 'config':
        return this.change(`config${move.to}`);
      case 'control':
        return cluster.control(ALL[move.which] ?? 'a');
      case 'evict':
        return cluster.evict(ALL[move.which] ?? 'a');
      case 'tick':
        cluster.now += 1;
        return;
      case 'see':
        return this.operators[move.operator]?.see(WATCHES[move.watch] ?? 'pods');
      case 'read-config':
        return this.operators[move.operator]?.readConfig();
      case 'restart':
        return this.operators[move.operator]?.restart();
      case 'follow':
        this.operators[move.operator]?.seeAll();
        await this.operators[move.operator]?.reconcile();
        for (const name of ALL) cluster.control(name);
        return;
      case 'reconcile':
        return this.operators[move.operator]?.reconcile(move.crash);
    }
  }

  private change(to: string): void {
    const before = this.cluster.config;
    this.cluster.configure(to);
    if (this.cluster.config !== before) this.changes += 1;
  }

  /** One operator with current caches continues until it has nothing left to do. */
  async settle(): Promise<void> {
    const { cluster } = this;
    const operator = new SimulatedOperator(cluster);
    this.isFair = true;
    for (let step = 0; step < 100 && (step < 10 || operator.plan().report.progressing.status); step += 1) {
      await operator.reconcile();
      for (const name of ALL) cluster.control(name);
      cluster.now += 1;
      operator.seeAll();
    }
    expect(operator.plan().report.progressing).toMatchObject({ status: false, reason: 'UpToDate' });
    expect(operator.plan().actions).toEqual([]);
  }

  /** Checks that each change restarts a workload at most once. */
  checkRestarts(): void {
    for (const [name, values] of this.cluster.written) {
      expect({ name, values, isOncePerChange: values.length <= this.changes }).toMatchObject({ isOncePerChange: true });
      if (name !== 'linkerd-proxy-injector') expect(new Set(values).size).toBe(values.length);
    }
  }

  /** Checks that all pods that request injection have the configuration. */
  checkConverged(): void {
    for (const name of WORKLOADS) {
      const wrong = this.cluster.configsOf(name).filter((config) => config !== this.cluster.config);
      expect({ name, wrong }).toEqual({ name, wrong: [] });
    }
  }
}

const choices = fc.array(fc.nat(11), { minLength: 7, maxLength: 31 });

test('each change restarts each workload at most once, a few at a time, until all pods have it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(moves(1), { maxLength: 150, size: 'max' }), choices, async (steps, chosen) => {
      const run = new Run(1, chosen);
      for (const step of steps) {
        await run.make(step);
        expect(run.cluster.inRestart().length).toBeLessThanOrEqual(MAX_UNAVAILABLE);
      }
      await run.settle();
      run.checkRestarts();
      run.checkConverged();
    }),
    { numRuns: runs(100) },
  );
});

test('each change restarts each workload at most once even if two operators believe that they lead', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(moves(2), { maxLength: 200, size: 'max' }), choices, async (steps, chosen) => {
      const run = new Run(2, chosen);
      for (const step of steps) await run.make(step);
      await run.settle();
      run.checkRestarts();
      run.checkConverged();
    }),
    { numRuns: runs(100) },
  );
});
