import { anchorName } from '#anchor/trust-anchor';
import { decoded } from '../../support/anchor/cert-manager/resources';
import { watchMesh } from '../../support/anchor/mesh-watch';
import { ref } from '../../support/cluster/objects';
import { meshOfFile, POINTER, ROOTS, startInjectedMesh } from './anchored-mesh';
import { newChain, oldChain, podsOf, runOldMesh } from './old-chain';

const PREVIOUS = ref('v1', 'Secret', 'linkerd-previous-anchor', 'cert-manager');

const mesh = meshOfFile(startInjectedMesh);

test('the operator completes a rotation that a human left half done', async () => {
  const { cluster, certManager } = mesh;
  const old = oldChain('manual');
  await runOldMesh(mesh, old);
  const secret = await cluster.get(ref('v1', 'Secret', anchorName(0), 'cert-manager'));
  const pods = await podsOf(mesh);
  const watch = watchMesh(mesh);
  try {
    // Steps 1 to 3 of docs/operations.md.
    await cluster.apply({
      ...PREVIOUS,
      metadata: { ...PREVIOUS.metadata, labels: { 'cdk8s-linkerd/trust-anchor': 'previous' } },
      stringData: { 'tls.crt': decoded(secret, 'tls.crt') },
    });
    await certManager.renew('linkerd-identity-issuer', 'linkerd');
    await certManager.renew(anchorName(0), 'cert-manager');
    await cluster.eventually(async () =>
      expect((await cluster.get(ROOTS)).data['ca-bundle.crt'].match(/BEGIN CERTIFICATE/g)).toHaveLength(2),
    );
    // The manual rotation stops after the restart of one workload.
    for (const pod of pods.filter(({ metadata }) => metadata.labels?.app === 'web-0')) await cluster.delete(pod);

    await cluster.applyAll(newChain(old));
    await mesh.operator.start();
    const { status } = await mesh.rotatedTo(0, 60_000);
    // The operator does not remove a root that it did not add to the bundle.
    expect(status?.anchors).toMatchObject([{ generation: 0, role: 'Signing' }, { role: 'Foreign' }]);
    expect(status?.anchors[1].generation).toBeUndefined();
    await cluster.delete(PREVIOUS);
    await cluster.eventually(async () =>
      expect((await cluster.get(ROOTS)).data['ca-bundle.crt'].match(/BEGIN CERTIFICATE/g)).toHaveLength(1),
    );
    await mesh.settled(5);
  } finally {
    await watch.stop();
  }
  expect(watch.failures()).toEqual([]);
  expect((await cluster.get(POINTER)).spec.ca.secretName).toBe(anchorName(0));
}, 240_000);
