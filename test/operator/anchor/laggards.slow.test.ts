import { watchMesh } from '../../support/anchor/mesh-watch';
import { ANCHOR_REF, type AnchoredMesh, gitManifests, identity, startInjectedMesh, workloads } from './anchored-mesh';
import { conditionOf, restartedWorkloads, runInstalledMesh } from './installed-mesh';

const RESTART = { policy: 'Restart', maxUnavailableWorkloads: 2, progressDeadlineSeconds: 20 } as const;
let mesh: AnchoredMesh;
beforeEach(async () => {
  mesh = await startInjectedMesh();
}, 120_000);
afterEach(async () => {
  await mesh?.stop();
});

test('the operator restarts each workload that lacks the next anchor once, if the policy asks for it', async () => {
  await mesh.cluster.applyAll(gitManifests({ laggards: RESTART }));
  await mesh.operator.start();
  await mesh.rotatedTo(1);
  await mesh.cluster.applyAll([identity(2), ...workloads(5, 2)]);
  await mesh.settled(12, { timeoutMs: 60_000 });
  const watch = watchMesh(mesh);
  await mesh.cluster.patch(ANCHOR_REF, { spec: { rotateNow: 'two' } });
  await mesh.rotatedTo(2).finally(() => watch.stop());
  expect(watch.failures()).toEqual([]);
  expect(await restartedWorkloads(mesh)).toEqual(['linkerd-identity', 'web-0', 'web-1', 'web-2', 'web-3', 'web-4']);
  const generations = (await mesh.cluster.list('apps/v1', 'Deployment', { namespace: 'shop' })).map(
    ({ metadata }) => metadata.generation,
  );
  expect(generations).toEqual([2, 2, 2, 2, 2]);
}, 240_000);

test('without the old key, the next anchor signs only after all pods trust it', async () => {
  const { manifests } = await runInstalledMesh(mesh, { laggards: RESTART });
  await mesh.cluster.applyAll(manifests);
  await mesh.operator.start();
  await mesh.reaches('Stable');
  const watch = watchMesh(mesh);
  await mesh.cluster.patch(ANCHOR_REF, { spec: { rotateNow: 'one' } });
  await conditionOf(mesh, 'Bridged', 'LongWay');
  await mesh.rotatedTo(1).finally(() => watch.stop());
  expect(watch.failures()).toEqual([]);
  expect(await restartedWorkloads(mesh)).toEqual(['linkerd-identity', 'web-0', 'web-1', 'web-2']);
}, 300_000);
