import { setTimeout as sleep } from 'node:timers/promises';
import { anchorName, ROTATE_NOW_ANNOTATION, TRUST_ROOTS_KEY } from '#anchor/trust-anchor';
import { knownCertificates } from '#operator/src/pki/known-certificate';
import { type MeshWatch, watchMesh } from '../../support/anchor/mesh-watch';
import { ref } from '../../support/cluster/objects';
import { ANCHOR_REF, gitManifests, meshOfFile, POINTER, ROOTS, startRunningMesh } from './anchored-mesh';
import { podsOf, replacePods, replaceWhenAnnounced } from './old-chain';

// All tests share one mesh: each begins with the anchor of the rotation before.
const mesh = meshOfFile(startRunningMesh);
let watch: MeshWatch;
/** The signing generation when a test begins. */
let signing: number;
beforeEach(async () => {
  signing = (await mesh.anchor()).status?.memory.current.generation;
  watch = watchMesh(mesh);
});
afterEach(async () => {
  await watch.stop();
  expect(watch.failures()).toEqual([]);
});

async function expectOnlyNext(): Promise<void> {
  const { cluster } = mesh;
  expect(await cluster.find(ref('v1', 'Secret', anchorName(signing), 'cert-manager'))).toBeUndefined();
  expect((await cluster.get(POINTER)).spec.ca.secretName).toBe(anchorName(signing + 1));
}

test('a rotation waits for late or absent controllers, without a failed handshake', async () => {
  const { cluster, trustManager, certManager } = mesh;
  // Just below the propagationDelay of two seconds.
  mesh.injector.setLag(1_900);
  mesh.identity.setLag(1_900);
  trustManager.setLag(3_000);
  await trustManager.pause();
  await cluster.patch(ANCHOR_REF, { spec: { rotateNow: 'late' } });
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
  await mesh.rotatedTo(signing + 1, 60_000);
  for (const part of [mesh.injector, mesh.identity, trustManager]) part.setLag(0);
}, 180_000);

test('the operator notices an identity replica without the new issuer, and restarts identity alone', async () => {
  const { cluster } = mesh;
  const restarts = () =>
    cluster
      .auditEvents({ user: mesh.operator.user, verb: 'patch', resource: 'deployments' })
      .map(({ objectRef }) => objectRef?.name);
  expect(restarts()).toEqual([]);
  await cluster.patch(ANCHOR_REF, { spec: { rotateNow: 'missed' } });
  await mesh.reaches('Minted', 20_000);
  const [replica] = mesh.identity.replicas();
  const name = replica?.pod.metadata.name ?? 'none';
  // The replica misses each later issuer, beginning with that of the next anchor.
  mesh.identity.breakWatcher(name);
  await cluster.eventually(
    async () => expect((await podsOf(mesh)).map(({ metadata }) => metadata.name)).not.toContain(name),
    { timeoutMs: 40_000 },
  );
  const deployment = await cluster.get(ref('apps/v1', 'Deployment', 'linkerd-identity', 'linkerd'));
  expect(deployment.metadata.generation).toBe(2);
  await mesh.reaches('Signing', 30_000);
  await replaceWhenAnnounced(mesh);
  await mesh.rotatedTo(signing + 1, 60_000);
  expect(restarts()).toEqual(['linkerd-identity']);
}, 180_000);

/** The resource versions of all objects that a rotation changes. */
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

test('a rotation stops when its TrustAnchor is deleted, and continues once it is created again', async () => {
  const { cluster } = mesh;
  await cluster.patch(ANCHOR_REF, { metadata: { annotations: { [ROTATE_NOW_ANNOTATION]: 'lost' } } });
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
  await mesh.rotatedTo(signing + 1, 60_000);
  await expectOnlyNext();
}, 180_000);

/**
 * Waits until the operator has deleted the old key, then deletes the TrustAnchor with its memory and creates it again.
 */
async function forgottenAtTheEnd(): Promise<void> {
  const { cluster } = mesh;
  await cluster.eventually(async () => expect((await mesh.anchor()).status?.memory.rotation?.dropped).toBeDefined(), {
    timeoutMs: 60_000,
    intervalMs: 10,
  });
  await cluster.delete(ANCHOR_REF);
  await cluster.applyAll(gitManifests());
}

test('an operator that forgets a rotation at its end still removes the old root', async () => {
  const { cluster } = mesh;
  await cluster.patch(ANCHOR_REF, { spec: { rotateNow: 'forgotten' } });
  await replaceWhenAnnounced(mesh);
  await forgottenAtTheEnd();
  // The bundles of existing pods were forgotten too, so that pods must be replaced.
  await replaceWhenAnnounced(mesh);
  await mesh.rotatedTo(signing + 1, 60_000);
  await cluster.eventually(
    async () => {
      const { status } = await mesh.anchor();
      const roots = knownCertificates((await cluster.get(ROOTS)).data[TRUST_ROOTS_KEY]).length;
      expect({ roots, status }).toMatchObject({ roots: 1 });
    },
    { timeoutMs: 60_000 },
  );
  await expectOnlyNext();
  await mesh.settled(5);
}, 240_000);
