import { setTimeout as sleep } from 'node:timers/promises';
import { anchorName } from '../../../operator/api/trust-anchor';
import { ref } from '../../support/cluster/objects';
import { ANCHOR_REF, meshOfFile, startRunningMesh } from './anchored-mesh';
import { underChurn } from './under-churn';

const ELECTION = [
  '--leader-elect',
  '--leader-elect-lease-duration=4s',
  '--leader-elect-renew-deadline=3s',
  '--leader-elect-retry-period=200ms',
];

const mesh = meshOfFile(startRunningMesh);
underChurn(() => mesh);

async function spec(change: Readonly<Record<string, unknown>>): Promise<void> {
  await mesh.cluster.patch(ANCHOR_REF, { spec: change });
}

test('an operator that is killed again and again gets there all the same', async () => {
  for (const replica of mesh.replicas()) await replica.kill('SIGKILL');
  await spec({ rotateNow: 'two' });
  let isDone = false;
  for (let life = 0; life < 60 && !isDone; life += 1) {
    const running = await mesh.operator.start();
    await sleep(400 + 340 * (life % 9));
    await running.kill('SIGKILL');
    const { status } = await mesh.anchor();
    isDone = status?.phase === 'Stable' && status?.memory?.current?.generation === 2;
  }
  await mesh.operator.start();
  await mesh.rotatedTo(2);
  expect(await mesh.cluster.find(ref('v1', 'Secret', anchorName(1), 'cert-manager'))).toBeUndefined();
}, 400_000);

test('of two replicas one goes on when the other is killed', async () => {
  for (const replica of mesh.replicas()) await replica.stop();
  const [first] = [await mesh.operator.start(ELECTION), await mesh.operator.start(ELECTION)];
  await spec({ rotateNow: 'three' });
  await mesh.reaches('Announced');
  await first.kill('SIGKILL');
  await mesh.reaches('Signing');
}, 300_000);
