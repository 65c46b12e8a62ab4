import { anchorName } from '#anchor/trust-anchor';
import { watchMesh } from '../../support/anchor/mesh-watch';
import { ref } from '../../support/cluster/objects';
import { ANCHOR_REF, meshOfFile, POINTER, startAnchoredMesh } from './anchored-mesh';
import { newChain, oldChain, podsOf, replaceWhenAnnounced, runOldMesh } from './old-chain';

const FIRST = ref('cert-manager.io/v1', 'Certificate', anchorName(0), 'cert-manager');
const FIRST_SECRET = ref('v1', 'Secret', anchorName(0), 'cert-manager');

const mesh = meshOfFile(startAnchoredMesh);

test('the operator adopts a manually rotated anchor unchanged, and bridges its own first rotation', async () => {
  const { cluster, certManager } = mesh;
  const old = oldChain('manual');
  await runOldMesh(mesh, old);
  const [pods, certificate, secret] = [await podsOf(mesh), await cluster.get(FIRST), await cluster.get(FIRST_SECRET)];
  const issued = certManager.issued.length;

  const watch = watchMesh(mesh);
  try {
    await cluster.applyAll(newChain(old));
    // Argo CD prunes the ClusterIssuer, which Git no longer contains.
    await cluster.delete(POINTER);
    await mesh.operator.start();
    await mesh.rotatedTo(0, 30_000);
    await cluster.eventually(async () => expect((await cluster.get(POINTER)).spec.ca.secretName).toBe(anchorName(0)));
    expect((await mesh.anchor()).status?.anchors).toMatchObject([{ generation: 0, role: 'Signing' }]);
    const uids = (all: typeof pods) => all.map(({ metadata }) => metadata.uid);
    expect(uids(await podsOf(mesh))).toEqual(uids(pods));
    expect((await cluster.get(FIRST)).spec).toEqual(certificate.spec);
    expect((await cluster.get(FIRST_SECRET)).data).toEqual(secret.data);
    expect(certManager.issued.length).toBe(issued);

    await cluster.patch(ANCHOR_REF, { spec: { rotateNow: 'one' } });
    await replaceWhenAnnounced(mesh);
    const anchor = await mesh.rotatedTo(1, 60_000);
    expect(anchor.status?.anchors).toMatchObject([{ generation: 1, role: 'Signing' }]);
  } finally {
    await watch.stop();
  }
  expect(watch.failures()).toEqual([]);
  // Issued three times: self-signed, as the bridge, and self-signed again.
  expect(certManager.issued.filter((one) => one.certificate === `cert-manager/${anchorName(1)}`)).toHaveLength(3);
  expect(await cluster.find(FIRST)).toBeUndefined();
  expect(await cluster.find(FIRST_SECRET)).toBeUndefined();
  expect((await cluster.get(POINTER)).spec.ca.secretName).toBe(anchorName(1));
}, 180_000);
