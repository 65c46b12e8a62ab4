import { watchMesh } from '../../support/anchor/mesh-watch';
import { ref } from '../../support/cluster/objects';
import { ANCHOR_REF, meshOfFile, startRunningMesh } from './anchored-mesh';
import { podsOf, replaceWhenAnnounced } from './old-chain';

const mesh = meshOfFile(startRunningMesh);

test('a replica of identity that misses the new issuer is noticed, and identity restarted, alone', async () => {
  const { cluster } = mesh;
  const watch = watchMesh(mesh);
  try {
    await cluster.patch(ANCHOR_REF, { spec: { rotateNow: 'one' } });
    await mesh.reaches('Minted', 20_000);
    const [replica] = mesh.identity.replicas();
    const name = replica?.pod.metadata.name ?? 'none';
    // From here on: the next issuer that it would take up is that of the next anchor.
    mesh.identity.breakWatcher(name);
    await cluster.eventually(
      async () => expect((await podsOf(mesh)).map(({ metadata }) => metadata.name)).not.toContain(name),
      { timeoutMs: 40_000 },
    );
    const deployment = await cluster.get(ref('apps/v1', 'Deployment', 'linkerd-identity', 'linkerd'));
    expect(deployment.metadata.generation).toBe(2);
    await mesh.reaches('Signing', 30_000);
    await replaceWhenAnnounced(mesh);
    await mesh.rotatedTo(2, 60_000);
  } finally {
    await watch.stop();
  }
  expect(watch.failures()).toEqual([]);
  const patched = cluster.auditEvents({ user: mesh.operator.user, verb: 'patch', resource: 'deployments' });
  expect(patched.map(({ objectRef }) => objectRef?.name)).toEqual(['linkerd-identity']);
}, 180_000);
