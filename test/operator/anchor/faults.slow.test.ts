import { setTimeout as sleep } from 'node:timers/promises';
import { anchorName } from '../../../operator/api/trust-anchor';
import { ref } from '../../support/cluster/objects';
import { ANCHOR_REF, meshOfFile, POINTER, ROOTS, startRunningMesh } from './anchored-mesh';
import { underChurn } from './under-churn';

const mesh = meshOfFile(startRunningMesh);
underChurn(() => mesh);

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
  // Others end what they had begun.
  const before = await mesh.cluster.eventually(async () => {
    const writes = await writesSince();
    await sleep(1_000);
    expect(await writesSince()).toBe(writes);
    return writes;
  });
  expect(await mesh.phase()).not.toBe('Stable');
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
