import { anchorName } from '#anchor/trust-anchor';
import { decoded } from '../../support/anchor/cert-manager/resources';
import { watchMesh } from '../../support/anchor/mesh-watch';
import { ref } from '../../support/cluster/objects';
import { meshOfFile, POINTER, startInjectedMesh } from './anchored-mesh';
import { newChain, oldChain, runOldMesh } from './old-chain';

const mesh = meshOfFile(startInjectedMesh);

const anchorInSecret = async (): Promise<string | undefined> =>
  decoded(await mesh.cluster.get(ref('v1', 'Secret', anchorName(0), 'cert-manager')), 'tls.crt');

test('the operator replaces an adopted anchor whose next key already exists, without a failed handshake', async () => {
  const { cluster, certManager } = mesh;
  const old = oldChain('automatic-unsafe');
  await runOldMesh(mesh, old);
  const before = await anchorInSecret();
  const watch = watchMesh(mesh);
  try {
    certManager.setSigningDelay(6_000);
    await certManager.renew(anchorName(0), 'cert-manager');
    await cluster.eventually(async () => {
      const requests = await cluster.list('cert-manager.io/v1', 'CertificateRequest', { namespace: 'cert-manager' });
      expect(requests).toHaveLength(2);
    });
    await cluster.applyAll(newChain(old));
    await mesh.operator.start();
    await cluster.eventually(async () => expect(await anchorInSecret()).not.toBe(before), { timeoutMs: 20_000 });
    certManager.setSigningDelay(0);
    await cluster.eventually(
      async () =>
        expect((await mesh.anchor()).status?.conditions).toContainEqual(
          expect.objectContaining({ type: 'Bridged', reason: 'LongWay' }),
        ),
      { timeoutMs: 10_000 },
    );
    await mesh.rotatedTo(0, 60_000);
  } finally {
    await watch.stop();
  }
  expect(watch.failures()).toEqual([]);
  await cluster.eventually(async () => expect((await cluster.get(POINTER)).spec.ca.secretName).toBe(anchorName(0)));
  expect((await mesh.anchor()).status?.anchors).toMatchObject([{ generation: 0, role: 'Signing' }]);
}, 240_000);
