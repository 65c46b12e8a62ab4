import { setTimeout as sleep } from 'node:timers/promises';
import { type OwnCluster, startCluster } from '../../support/cluster/cluster';
import { completes } from '../../support/operator/changes/propagation-changes';
import { workloadRef } from '../../support/operator/meshed-workloads';
import { createOperatedMesh, type OperatedMesh } from '../../support/operator/operated-mesh';
import { makeNamespaces } from './namespaces';
import { KEPT, restartsOf } from './restarts';

/** The leader keeps its lease even if the API server starts slowly. */
const LONG_LEASE = ['--leader-elect', '--leader-elect-lease-duration=60s', '--leader-elect-renew-deadline=50s'];

let cluster: OwnCluster;
let mesh: OperatedMesh;

beforeAll(async () => {
  cluster = await startCluster();
  mesh = await createOperatedMesh(cluster, { args: LONG_LEASE });
  await mesh.start();
  await mesh.configured();
});
afterAll(async () => {
  await mesh?.stop();
  await cluster?.stop();
});

// The times range from before the changes reach the operator to after the first workload restarts.
test.each([0, 300, 1500])('a restart of the API server %d ms after changes only delays them', async (afterMs) => {
  const [joining, leaving] = [await makeNamespaces(cluster, 20), await makeNamespaces(cluster, 20)];
  await leaving.attach();
  await cluster.eventually(async () => expect(await leaving.attached()).toBe(20));
  const injector = await cluster.get(workloadRef('Deployment', mesh.shop));
  const change = await completes(mesh);

  await Promise.all([change.make(), joining.attach(), leaving.detach()]);
  await sleep(afterMs);
  await cluster.restartApiServer();

  await cluster.eventually(change.seen, { timeoutMs: 90_000 });
  await cluster.eventually(async () => {
    expect([await joining.attached(), await leaving.attached()]).toEqual([20, 0]);
  });
  const { configHash } = (await mesh.reported()).status;
  for (const kind of KEPT) {
    const restarts = await restartsOf(cluster, mesh.shop, kind);
    expect(restarts.filter((hash) => hash === configHash)).toHaveLength(1);
  }
  expect((await cluster.get(injector)).metadata.generation).toBe((injector.metadata.generation ?? 0) + 1);
});

test('the operator keeps running and leading through restarts of the API server', () => {
  const messages = mesh
    .operator()
    .logs()
    .map(({ msg }) => msg);
  expect(messages.filter((msg) => msg === 'this process leads')).toHaveLength(1);
  expect(messages).not.toContain('lost the lease');
});
