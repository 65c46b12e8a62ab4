import { injectorFence, restartWorkload } from '#operator/src/propagation/plan/actions';
import { REJECTION_MS, rejectedRestarts, restartRepetitions } from '#operator/src/propagation/restart-memory';
import { deployment, HASH, injector } from '../../support/operator/propagation-objects';

let now = 0;
const rejection = { configHash: 'one', message: 'no' };

beforeEach(() => {
  now = 1_000;
});

test('the operator remembers a rejected restart for a while', () => {
  const rejected = rejectedRestarts(() => now);
  rejected.add('shop/Deployment/web', rejection);
  now += REJECTION_MS - 1;
  expect(rejected.current('one')).toEqual(new Map([['shop/Deployment/web', 'no']]));
  now += 1;
  expect(rejected.current('one').size).toBe(0);
});

test('a rejected restart does not count for another configuration', () => {
  const rejected = rejectedRestarts(() => now);
  rejected.add('shop/Deployment/web', rejection);
  expect(rejected.current('two').size).toBe(0);
});

const restart = (name: string, since: string) =>
  restartWorkload(
    { id: `shop/Deployment/${name}`, workload: deployment(name) },
    { configHash: HASH, since },
    injectorFence(injector()),
  );
const [first, second] = ['2026-11-21T10:00:00Z', '2026-11-21T11:00:00Z'] as const;

test('the operator counts the same restart of the same workload as a repetition', () => {
  const repetitions = restartRepetitions();
  expect(repetitions.among([restart('web', first)])).toEqual([]);
  repetitions.add(restart('web', first));
  expect(repetitions.among([restart('db', first), restart('web', first)])).toEqual(['shop/Deployment/web']);
});

test('a restart for another configuration, or again for an earlier one, is no repetition', () => {
  const repetitions = restartRepetitions();
  repetitions.add(restart('web', first));
  expect(repetitions.among([restart('web', second)])).toEqual([]);
  repetitions.add(restart('web', second));
  expect(repetitions.among([restart('web', first)])).toEqual([]);
});
