import { X509Certificate } from 'node:crypto';
import { anchorName } from '#anchor/trust-anchor';
import { decoded } from '../../support/anchor/cert-manager/resources';
import { watchMesh } from '../../support/anchor/mesh-watch';
import { ref } from '../../support/cluster/objects';
import { meshOfFile, startAnchoredMesh } from './anchored-mesh';
import { newChain, oldChain, podsOf, runOldMesh } from './old-chain';

const FIRST = ref('cert-manager.io/v1', 'Certificate', anchorName(0), 'cert-manager');

const mesh = meshOfFile(startAnchoredMesh);

async function anchorInSecret(): Promise<X509Certificate> {
  const secret = await mesh.cluster.get(ref('v1', 'Secret', anchorName(0), 'cert-manager'));
  return new X509Certificate(decoded(secret, 'tls.crt') ?? '');
}

const keyOf = ({ publicKey }: X509Certificate) => publicKey.export({ type: 'spki', format: 'pem' });

test('the operator adopts an anchor that cert-manager was about to rekey, keeping its key and all trust', async () => {
  const { cluster } = mesh;
  const old = oldChain('automatic-unsafe');
  await runOldMesh(mesh, old);
  const [before, pods] = [await anchorInSecret(), await podsOf(mesh)];
  expect((await cluster.get(FIRST)).spec.privateKey.rotationPolicy).toBe('Always');
  // cert-manager will renew the anchor in 12 seconds.
  const renewal = Date.now() + 12_000;
  const renewBefore = `${Math.round((Date.parse(before.validTo) - renewal) / 1_000)}s`;
  await cluster.patch(FIRST, { spec: { renewBefore } });

  const watch = watchMesh(mesh);
  try {
    await cluster.applyAll(newChain(old));
    await mesh.operator.start();
    await cluster.eventually(
      async () => expect((await cluster.get(FIRST)).spec.privateKey.rotationPolicy).toBe('Never'),
      { timeoutMs: renewal - Date.now() },
    );
    const renewed = await cluster.eventually(
      async () => {
        const now = await anchorInSecret();
        expect(now.serialNumber).not.toBe(before.serialNumber);
        return now;
      },
      { timeoutMs: 30_000 },
    );
    expect(keyOf(renewed)).toEqual(keyOf(before));
    // Renew the issuer, and wait until all earlier leaves have expired.
    await mesh.certManager.renew('linkerd-identity-issuer', 'linkerd');
    await new Promise((resolve) => setTimeout(resolve, 8_000));
    for (const pod of pods.filter(({ metadata }) => metadata.labels?.app === 'web-0')) await cluster.delete(pod);
    await mesh.settled(5, { timeoutMs: 20_000 });
    await mesh.rotatedTo(0, 10_000);
  } finally {
    await watch.stop();
  }
  expect(watch.failures()).toEqual([]);
  const still = new Set((await podsOf(mesh)).map(({ metadata }) => metadata.uid));
  expect(pods.filter(({ metadata }) => !still.has(metadata.uid))).toHaveLength(1);
}, 180_000);
