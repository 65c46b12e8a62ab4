import { type Cluster, sharedCluster } from '../../support/cluster/cluster';
import { type KubeObject, ref } from '../../support/cluster/objects';
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
/** The namespace of a tenant, whose workloads sort before the others by name. */
let attic: string;
let shop: string;
let web: KubeObject;

/** All these objects sort before the objects of `shop`, so that the operator handles them first. */
beforeAll(async () => {
  cluster = await sharedCluster();
  const rollouts = ref('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'rollouts.argoproj.io');
  if (await cluster.find(rollouts)) await cluster.delete(rollouts);
  mesh = await createRollingMesh(cluster);
  attic = await cluster.namespace('attic');
  shop = await cluster.namespace('shop');
  web = await cluster.apply(workload('Deployment', 'web', shop));
  await cluster.rolledOut(web);
  await mesh.controlPlane.configure('mesh', { maxUnavailableWorkloads: 1, progressDeadlineSeconds: 3, values: {} });
  operator = await mesh.installation.start();
  await mesh.done();
});

afterAll(async () => {
  await operator?.stop();
  await mesh?.controlPlane.clear();
  for (const namespace of [attic, shop]) await removeFollowers(cluster, namespace);
});

const followsAnyway = (hash: string) =>
  cluster.eventually(async () => expect(await configOf(cluster, web)).toBe(hash), { timeoutMs: 20_000 });

test('after the deadline, the operator reports a restart that a quota blocks, and restarts other workloads', async () => {
  const tenant = await cluster.apply(workload('Deployment', 'full', attic));
  await cluster.rolledOut(tenant);
  const quota = { ...ref('v1', 'ResourceQuota', 'full', attic), spec: { hard: { 'count/replicasets.apps': '1' } } };
  await cluster.apply(quota);
  await cluster.eventually(async () => expect((await cluster.get(quota)).status?.used).toBeDefined());

  const hash = await mesh.change('debug,quota=info');
  await followsAnyway(hash);
  await mesh.says('Degraded', 'True RestartIncomplete', `${attic}/Deployment/full `);
  expect((await mesh.status()).passedBy).toEqual({
    count: 1,
    restarts: [{ workload: `${attic}/Deployment/full`, why: 'it is not complete after 3 s: it has no new pods' }],
  });
  await cluster.eventually(async () =>
    expect(await mesh.controlPlane.events('mesh')).toContainEqual(
      expect.stringMatching(new RegExp(`^RestartIncomplete: ${attic}/Deployment/full `)),
    ),
  );
  // Also after a restart of the operator, whose state comes from the status.
  await operator.kill('SIGKILL');
  operator = await mesh.installation.start();
  await followsAnyway(await mesh.change('debug,quota=info,again=info'));

  await cluster.delete(quota);
  await cluster.eventually(async () => cluster.patch(tenant, { metadata: { labels: { retry: `${Date.now()}` } } }));
  await mesh.done();
  expect(await mesh.controlPlane.condition('mesh', 'Degraded')).toMatch(/^False/);
  await cluster.delete(tenant);
});
