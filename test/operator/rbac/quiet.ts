import { setTimeout as sleep } from 'node:timers/promises';
import type { OperatedMesh } from '../../support/operator/operated-mesh';

/** Longer than the operator waits for more changes before it looks at one. */
const QUIET_MS = 300;

/** Waits until the operator has nothing to do: what it does from then on has another cause. */
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
