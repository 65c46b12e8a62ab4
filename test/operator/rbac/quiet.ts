import { setTimeout as sleep } from 'node:timers/promises';
import type { OperatedMesh } from '../../support/operator/operated-mesh';

/** Longer than the operator collects changes before it reconciles an object. */
const QUIET_MS = 300;

/** Waits until the operator is idle, so that all later requests are caused by the test. */
export async function isQuiet({ cluster, operator }: OperatedMesh): Promise<void> {
  const reconciles = async (): Promise<string> => {
    const text = await (await fetch(operator().metricsUrl)).text();
    return text
      .split('\n')
      .filter((line) => line.startsWith('controller_runtime_reconcile_total'))
      .join('\n');
  };
  await cluster.eventually(async () => {
    const before = await reconciles();
    await sleep(QUIET_MS);
    expect(await reconciles()).toBe(before);
  });
}
