import { HOUR, MINUTE } from '#base/time-units';
import { scenarioOf } from '#lib/review/report/page/state';
import type { Conditions } from '#lib/review/report/simulate/conditions';
import { type Run, simulate } from '#lib/review/report/simulate/run';
import { conditions, meshFacts } from '../mesh-facts';

function run(others: Partial<Conditions> = {}): Run {
  const scenario = scenarioOf(meshFacts(), conditions(others));
  if (scenario === undefined) throw new Error('there is an anchor');
  return simulate(scenario);
}

test('the simulation of slow restarts takes longer', () => {
  const [usual, slow] = [
    run({ restartDays: 0, laggards: 'Restart', workloads: 300 }),
    run({ restartDays: 0, laggards: 'Restart', workloads: 300, slowdown: 10 }),
  ];
  expect((slow.done ?? 0) - slow.due).toBeGreaterThan((usual.done ?? 0) - usual.due);
});

test('the simulation of a mesh whose issuer is renewed every few minutes stops, and reports the time', () => {
  const [anchor, issuer, ...others] = meshFacts().pki.certificates;
  if (anchor === undefined || issuer === undefined) throw new Error('there are both');
  const often = { ...issuer, duration: HOUR, renewBefore: 55 * MINUTE };
  const scenario = scenarioOf(meshFacts({ certificates: [anchor, often, ...others] }), conditions({}));
  if (scenario === undefined) throw new Error('there is an anchor');
  const { cut = 0, due, done } = simulate(scenario);
  expect(done).toBeUndefined();
  expect(cut).toBeGreaterThan(due);
  expect(run().cut).toBeUndefined();
}, 60_000);
