import { anchorName, TRUST_ROOTS_KEY } from '../../../operator/api/trust-anchor';
import { knownCertificates } from '../../../operator/src/pki/known-certificate';
import { watchMesh } from '../../support/anchor/mesh-watch';
import { ref } from '../../support/cluster/objects';
import { ANCHOR_REF, gitManifests, meshOfFile, ROOTS, startRunningMesh } from './anchored-mesh';
import { replaceWhenAnnounced } from './old-chain';

const mesh = meshOfFile(() => startRunningMesh({ identities: 1, workloads: 2 }));

/** Waits until the old anchor's key is gone, then has all be forgotten. */
async function forgottenAtTheEnd(): Promise<void> {
  const { cluster } = mesh;
  await cluster.eventually(async () => expect((await mesh.anchor()).status?.memory.rotation?.dropped).toBeDefined(), {
    timeoutMs: 60_000,
    intervalMs: 10,
  });
  await cluster.delete(ANCHOR_REF);
  await cluster.applyAll(gitManifests());
}

test('who forgets a rotation when nothing but the old root is left of it takes that away all the same', async () => {
  const { cluster } = mesh;
  const watch = watchMesh(mesh);
  try {
    await cluster.patch(ANCHOR_REF, { spec: { rotateNow: 'one' } });
    await replaceWhenAnnounced(mesh);
    await forgottenAtTheEnd();
    // What pods were given before, nobody remembers.
    await replaceWhenAnnounced(mesh);
    await mesh.rotatedTo(2, 60_000);
    await cluster.eventually(
      async () => {
        const { status } = await mesh.anchor();
        const roots = knownCertificates((await cluster.get(ROOTS)).data[TRUST_ROOTS_KEY]).length;
        expect({ roots, status }).toMatchObject({ roots: 1 });
      },
      { timeoutMs: 60_000 },
    );
  } finally {
    await watch.stop();
  }
  expect(watch.failures()).toEqual([]);
  expect(await cluster.find(ref('v1', 'Secret', anchorName(1), 'cert-manager'))).toBeUndefined();
  await mesh.settled(3);
}, 240_000);
