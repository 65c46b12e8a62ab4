import fc from 'fast-check';
import type { OperatorProcess } from '../../support/operator/operator-process';
import { LATEST_KILL_MS, useRestartCounter } from './restart-counter';

jest.setTimeout(600_000);

const CHANGES = 20;

const counter = useRestartCounter();

test(`${CHANGES} changes restart each workload as often, also if the operator is killed again and again`, async () => {
  counter.running = [await counter.start()];
  await counter.done();
  const delays = fc.sample(fc.option(fc.integer({ min: 0, max: LATEST_KILL_MS })), CHANGES);
  for (const [index, delayMs] of delays.entries()) {
    const [operator] = counter.running as [OperatorProcess];
    await counter.changeOnce(`info,n${index}=debug`, async () => {
      if (delayMs !== null) await counter.killLater(delayMs, operator);
    });
  }
});
