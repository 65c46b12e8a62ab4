import type { OperatorProcess } from '../../support/operator/operator-process';
import { LATEST_KILL_MS, useRestartCounter } from './restart-counter';

jest.setTimeout(600_000);

/** Moments of a change at equal distances: as many at random would leave longer parts of it out. */
const moments = (count: number) => Array.from({ length: count }, (_, index) => (index * LATEST_KILL_MS) / count);

const counter = useRestartCounter();

test('each of ten changes restarts each workload once, wherever in a change the operator is killed', async () => {
  counter.running = [await counter.start()];
  await counter.done();
  for (const [index, delayMs] of moments(10).entries()) {
    const [operator] = counter.running as [OperatorProcess];
    await counter.changeOnce(`info,n${index}=debug`, () => counter.killLater(delayMs, operator));
  }
});

test('two replicas that fight for the lease restart nothing twice', async () => {
  const election = [
    '--leader-elect',
    '--leader-elect-lease-duration=4s',
    '--leader-elect-renew-deadline=3s',
    '--leader-elect-retry-period=200ms',
  ];
  for (const operator of counter.running) await operator.stop();
  counter.running = await Promise.all([counter.start(election), counter.start(election)]);
  const leads = (operator: OperatorProcess) => operator.logs().some(({ msg }) => msg === 'this process leads');
  for (const [index, delayMs] of moments(5).entries()) {
    const leader = await counter.cluster().eventually(() => {
      const leaders = counter.running.filter(leads);
      expect(leaders).toHaveLength(1);
      return leaders[0] as OperatorProcess;
    });
    await counter.changeOnce(`warn,n${index}=debug`, () => counter.killLater(delayMs, leader, election));
  }
});
