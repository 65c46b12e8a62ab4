import { setTimeout as sleep } from 'node:timers/promises';
import { anchorName } from '../../../operator/api/trust-anchor';
import { type Churn, startChurn } from '../../support/anchor/churn';
import { type MeshWatch, watchMesh } from '../../support/anchor/mesh-watch';
import { ref } from '../../support/cluster/objects';
import type { OperatorProcess } from '../../support/operator/operator-process';
import {
  ANCHOR_REF,
  type AnchoredMesh,
  gitManifests,
  identity,
  POINTER,
  ROOTS,
  startAnchoredMesh,
  workloads,
} from './anchored-mesh';

const ELECTION = [
  '--leader-elect',
  '--leader-elect-lease-duration=4s',
  '--leader-elect-renew-deadline=3s',
  '--leader-elect-retry-period=200ms',
];

let mesh: AnchoredMesh;
let operator: OperatorProcess | undefined;
let churn: Churn;
let watch: MeshWatch;
beforeAll(async () => {
  mesh = await startAnchoredMesh();
  await mesh.cluster.applyAll(gitManifests());
  operator = await mesh.operator.start();
  await mesh.rotatedTo(1);
  await mesh.cluster.applyAll([identity(2), ...workloads(3)]);
  await mesh.settled(5, { timeoutMs: 60_000 });
}, 180_000);
afterAll(async () => {
  await operator?.stop();
  await mesh?.stop();
});
beforeEach(() => {
  churn = startChurn(mesh.cluster, { namespaces: ['shop', 'linkerd'], seed: 7, intervalMs: 700 });
  watch = watchMesh(mesh);
});
afterEach(async () => {
  await churn.stop();
  await watch.stop();
  expect(watch.failures()).toEqual([]);
});

async function spec(change: Readonly<Record<string, unknown>>): Promise<void> {
  await mesh.cluster.patch(ANCHOR_REF, { spec: change });
}

const writesSince = async (): Promise<string> => {
  const objects = [await mesh.cluster.find(POINTER), await mesh.cluster.find(ROOTS)];
  return JSON.stringify(objects.map((object) => object?.metadata.resourceVersion));
};

test('a rotation stands still while it is paused, and goes on', async () => {
  await spec({ rotateNow: 'two' });
  await mesh.reaches('Announced');
  await spec({ paused: true });
  await mesh.cluster.eventually(async () =>
    expect((await mesh.anchor()).status?.conditions).toContainEqual(
      expect.objectContaining({ type: 'Progressing', status: 'False', reason: 'Paused' }),
    ),
  );
  const before = await writesSince();
  await sleep(4_000);
  expect(await writesSince()).toBe(before);
  await spec({ paused: false });
  await mesh.rotatedTo(2);
}, 240_000);

test('a rotation is taken back while the new anchor signs', async () => {
  await spec({ rotateNow: 'three' });
  await mesh.reaches('Signing');
  await spec({ abort: true });
  const anchor = await mesh.rotatedTo(2);
  expect(anchor.status?.anchors).toMatchObject([{ generation: 2, role: 'Signing' }]);
  expect((await mesh.cluster.get(POINTER)).spec.ca.secretName).toBe(anchorName(2));
  await mesh.cluster.eventually(async () =>
    expect(await mesh.cluster.find(ref('v1', 'Secret', anchorName(3), 'cert-manager'))).toBeUndefined(),
  );
  await spec({ abort: false });
  await mesh.rotatedTo(2);
}, 240_000);

test('an operator that is killed again and again gets there all the same', async () => {
  await operator?.kill('SIGKILL');
  operator = undefined;
  await spec({ rotateNow: 'four' });
  let isDone = false;
  for (let life = 0; life < 60 && !isDone; life += 1) {
    const running = await mesh.operator.start();
    await sleep(300 + 170 * (life % 9));
    await running.kill('SIGKILL');
    const { status } = await mesh.anchor();
    isDone = status?.phase === 'Stable' && status?.memory?.current?.generation === 3;
  }
  operator = await mesh.operator.start();
  await mesh.rotatedTo(3);
  expect(await mesh.cluster.find(ref('v1', 'Secret', anchorName(2), 'cert-manager'))).toBeUndefined();
}, 400_000);

test('of two replicas one goes on when the other is killed', async () => {
  await operator?.stop();
  const [first, second] = [await mesh.operator.start(ELECTION), await mesh.operator.start(ELECTION)];
  operator = second;
  await spec({ rotateNow: 'five' });
  await mesh.reaches('Announced');
  await first.kill('SIGKILL');
  await mesh.rotatedTo(4);
}, 300_000);
