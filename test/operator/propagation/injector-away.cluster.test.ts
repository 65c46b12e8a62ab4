import { type Cluster, sharedCluster } from '../../support/cluster/cluster';
import { ref } from '../../support/cluster/objects';
import type { OperatorProcess } from '../../support/operator/operator-process';
import {
  configOf,
  createRollingMesh,
  type RollingMesh,
  removeFollowers,
  workload,
} from '../../support/operator/rolling-mesh';

let cluster: Cluster;
let mesh: RollingMesh;
let operator: OperatorProcess;
let shop: string;

beforeAll(async () => {
  cluster = await sharedCluster();
  mesh = await createRollingMesh(cluster);
  shop = await cluster.namespace('shop');
  await mesh.controlPlane.configure('mesh', { values: {} });
  operator = await mesh.installation.start();
});

afterAll(async () => {
  await operator?.stop();
  await mesh?.controlPlane.clear();
  await removeFollowers(cluster, shop);
});

/** Allows none of the pods to be taken down. */
const budget = () => ({
  ...ref('policy/v1', 'PodDisruptionBudget', 'web', shop),
  spec: { maxUnavailable: 0, selector: { matchLabels: { app: 'web' } } },
});

test('nothing is restarted while no injector answers, because it would come up without a proxy', async () => {
  const web = await cluster.apply(workload('Deployment', 'web', shop, { spec: { strategy: { type: 'Recreate' } } }));
  await cluster.rolledOut(web);
  await cluster.apply(budget());
  await cluster.eventually(async () => expect((await cluster.get(budget())).status.expectedPods).toBe(1));
  const hash = await mesh.change('debug');
  await mesh.says('Progressing', 'True Waiting', `${shop}/Deployment/web `);

  await cluster.patch(mesh.injector, { spec: { replicas: 0 } });
  await mesh.says('Degraded', 'True InjectorMissing', 'No replica of');
  expect((await mesh.status()).injector).toMatchObject({ configHash: hash });
  await cluster.delete(budget());
  // Seen after the budget went: what the operator does about the one, it would have done about the other.
  const other = await cluster.apply(workload('Deployment', 'other', shop));
  await cluster.eventually(async () =>
    expect((await mesh.status()).workloads[0].injected).toEqual(['Deployment/other', 'Deployment/web']),
  );
  expect([await configOf(cluster, web), await configOf(cluster, other)]).toEqual([undefined, undefined]);

  await cluster.patch(mesh.injector, { spec: { replicas: 1 } });
  await mesh.done();
  expect(await configOf(cluster, web)).toBe(hash);
  expect(await mesh.controlPlane.condition('mesh', 'Degraded')).toMatch(/^False/);
});
