import { ROTATE_NOW_ANNOTATION } from '#anchor/trust-anchor';
import { type MeshWatch, watchMesh } from '../../support/anchor/mesh-watch';
import { verifyWithGo } from '../../support/anchor/verify-with-go';
import type { KubeObject } from '../../support/cluster/objects';
import { ANCHOR_REF, type AnchoredMesh, startRunningMesh } from './anchored-mesh';

/** More workloads than a status lists. Even a hundred would not reach the other limits. */
const WORKLOADS = 60;

let mesh: AnchoredMesh;
let watch: MeshWatch;
beforeAll(async () => {
  // All proxies renew in one process: on a busy machine a leaf of six seconds could expire before its renewal.
  mesh = await startRunningMesh({ workloads: WORKLOADS, leafSeconds: 30 });
}, 300_000);
afterAll(async () => {
  await watch?.stop();
  await mesh?.stop();
});

/** Replaces all earlier pods a few at a time, as happens over days in a real mesh. */
async function replaceAll(pods: readonly KubeObject[]): Promise<void> {
  const { cluster } = mesh;
  for (let begin = 0; begin < pods.length; begin += 10) {
    await Promise.all(pods.slice(begin, begin + 10).map((pod) => cluster.delete(pod)));
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

test(`${WORKLOADS} workloads get another anchor by their natural restarts alone, without a refused connection`, async () => {
  const { cluster } = mesh;
  watch = watchMesh(mesh, { intervalMs: 1_000, startWithinMs: 30_000 });
  await cluster.patch(ANCHOR_REF, { metadata: { annotations: { [ROTATE_NOW_ANNOTATION]: 'now' } } });
  await cluster.eventually(
    async () => {
      const { status } = await mesh.anchor();
      expect(status?.conditions).toContainEqual(expect.objectContaining({ type: 'Announced', status: 'True' }));
      expect(status?.laggards.pods).toBe(WORKLOADS + 2);
      expect(status?.laggards.workloads).toHaveLength(50);
    },
    { timeoutMs: 60_000 },
  );
  const before = [
    ...(await cluster.list('v1', 'Pod', { namespace: 'shop' })),
    ...(await cluster.list('v1', 'Pod', { namespace: 'linkerd' })),
  ];
  await replaceAll(before);
  await mesh.rotatedTo(2, 240_000);
  await watch.stop();

  expect(watch.failures()).toEqual([]);
  expect(watch.last()?.proxies).toBe(WORKLOADS + 2);
  expect(watch.looks()).toBeGreaterThan(20);
  expect(new Set(await verifyWithGo(watch.samples()))).toEqual(new Set([undefined]));
  expect(cluster.auditEvents({ user: mesh.operator.user, verb: 'patch', resource: 'deployments' })).toEqual([]);
}, 420_000);
