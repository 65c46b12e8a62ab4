import fc from 'fast-check';
import type { OperatorProcess } from '../../support/operator/operator-process';
import { LATEST_KILL_MS, useRestartCounter } from './restart-counter';

jest.setTimeout(600_000);

const CHANGES = 8;

// A file of its own beside restart-once.test.ts, since both take a minute.
const counter = useRestartCounter();

test('two replicas that fight for the lease restart nothing twice', async () => {
  const election = [
    '--leader-elect',
    '--leader-elect-lease-duration=4s',
    '--leader-elect-renew-deadline=3s',
    '--leader-elect-retry-period=200ms',
  ];
  counter.running = await Promise.all([counter.start(election), counter.start(election)]);
  const leads = (operator: OperatorProcess) => operator.logs().some(({ msg }) => msg === 'this process leads');
  const delays = fc.sample(fc.integer({ min: 0, max: LATEST_KILL_MS }), CHANGES);
  for (const [index, delayMs] of delays.entries()) {
    const leader = await counter.cluster().eventually(() => {
      const leaders = counter.running.filter(leads);
      expect(leaders).toHaveLength(1);
      return leaders[0] as OperatorProcess;
    });
    await counter.changeOnce(`warn,n${index}=debug`, () => counter.killLater(delayMs, leader, election));
  }
});
