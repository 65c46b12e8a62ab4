import { restartWorkload } from '../../../operator/src/propagation/plan/actions';
import { restartRepetitions } from '../../../operator/src/propagation/restart-repetitions';
import { deployment, HASH, injector } from '../../support/operator/propagation-objects';

const restart = (name: string, since: string) =>
  restartWorkload(
    { id: `shop/Deployment/${name}`, workload: deployment(name) },
    { configHash: HASH, since },
    injector(),
  );
const [first, second] = ['2026-11-21T10:00:00Z', '2026-11-21T11:00:00Z'] as const;

test('the same restart of the same workload is a repetition', () => {
  const repetitions = restartRepetitions();
  expect(repetitions.among([restart('web', first)])).toEqual([]);
  repetitions.add(restart('web', first));
  expect(repetitions.among([restart('db', first), restart('web', first)])).toEqual(['shop/Deployment/web']);
});

test('a restart for another configuration is none, nor is one for the configuration before the last', () => {
  const repetitions = restartRepetitions();
  repetitions.add(restart('web', first));
  expect(repetitions.among([restart('web', second)])).toEqual([]);
  repetitions.add(restart('web', second));
  expect(repetitions.among([restart('web', first)])).toEqual([]);
});
