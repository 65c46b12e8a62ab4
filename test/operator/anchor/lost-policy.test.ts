import { setTimeout as sleep } from 'node:timers/promises';
import { anchorName, ROTATE_NOW_ANNOTATION } from '../../../operator/api/trust-anchor';
import { watchMesh } from '../../support/anchor/mesh-watch';
import { ref } from '../../support/cluster/objects';
import { ANCHOR_REF, gitManifests, meshOfFile, POINTER, ROOTS, startRunningMesh } from './anchored-mesh';
import { replacePods } from './old-chain';

const mesh = meshOfFile(startRunningMesh);

/** All that a rotation changes, in the versions that it has. */
async function versions(): Promise<readonly string[]> {
  const { cluster } = mesh;
  const lists = await Promise.all([
    cluster.list('cert-manager.io/v1', 'Certificate', { namespace: 'cert-manager' }),
    cluster.list('cert-manager.io/v1', 'Issuer', { namespace: 'cert-manager' }),
    cluster.list('v1', 'Secret', { namespace: 'cert-manager' }),
    cluster.list('v1', 'ConfigMap', { namespace: 'cert-manager' }),
  ]);
  const objects = [...lists.flat(), await cluster.get(POINTER), await cluster.get(ROOTS)];
  return objects.map(({ kind, metadata }) => `${kind}/${metadata.name}: ${metadata.resourceVersion}`).toSorted();
}

test('a rotation stops without its policy, and continues once the policy is back', async () => {
  const { cluster } = mesh;
  const watch = watchMesh(mesh);
  try {
    await cluster.patch(ANCHOR_REF, { metadata: { annotations: { [ROTATE_NOW_ANNOTATION]: 'one' } } });
    await mesh.reaches('Signing', 40_000);
    await cluster.delete(ANCHOR_REF);
    await sleep(1_500);
    const before = await versions();
    await sleep(4_000);
    expect(await versions()).toEqual(before);
    expect(await cluster.find(ANCHOR_REF)).toBeUndefined();

    await cluster.applyAll(gitManifests());
    await mesh.reaches('Signing', 30_000);
    await replacePods(mesh);
    await mesh.rotatedTo(2, 60_000);
  } finally {
    await watch.stop();
  }
  expect(watch.failures()).toEqual([]);
  expect(await cluster.find(ref('v1', 'Secret', anchorName(1), 'cert-manager'))).toBeUndefined();
  expect((await cluster.get(POINTER)).spec.ca.secretName).toBe(anchorName(2));
}, 180_000);
