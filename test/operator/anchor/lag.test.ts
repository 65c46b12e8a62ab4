import { setTimeout as sleep } from 'node:timers/promises';
import { watchMesh } from '../../support/anchor/mesh-watch';
import { ANCHOR_REF, meshOfFile, startRunningMesh } from './anchored-mesh';
import { replaceWhenAnnounced } from './old-chain';

const mesh = meshOfFile(startRunningMesh);

test('a rotation waits for whoever is late, or away for a while, and nobody notices', async () => {
  const { cluster, trustManager, certManager } = mesh;
  // propagationDelay is two seconds.
  mesh.injector.setLag(1_900);
  mesh.identity.setLag(1_900);
  trustManager.setLag(3_000);
  const watch = watchMesh(mesh);
  try {
    await trustManager.pause();
    await cluster.patch(ANCHOR_REF, { spec: { rotateNow: 'one' } });
    await mesh.reaches('Minted', 20_000);
    await sleep(4_000);
    expect(await mesh.phase()).toBe('Minted');
    await certManager.pause();
    trustManager.resume();
    await mesh.reaches('Announced', 20_000);
    await sleep(3_000);
    expect(await mesh.phase()).toBe('Announced');
    certManager.resume();
    await replaceWhenAnnounced(mesh);
    await mesh.reaches('Signing', 30_000);
    await Promise.all([certManager.pause(), trustManager.pause()]);
    await sleep(3_000);
    certManager.resume();
    await sleep(1_000);
    trustManager.resume();
    await mesh.rotatedTo(2, 60_000);
  } finally {
    await watch.stop();
  }
  expect(watch.failures()).toEqual([]);
}, 180_000);
