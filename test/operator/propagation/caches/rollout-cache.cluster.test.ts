import { type Cluster, sharedCluster } from '#test/support/cluster/cluster';
import type { KubeObject } from '#test/support/cluster/objects';
import { applyWorkloads, finishRollouts, workloadRef } from '#test/support/operator/meshed-workloads';
import type { OperatorProcess } from '#test/support/operator/operator-process';
import { createRollingMesh, type RollingMesh, removeFollowers } from '#test/support/operator/rolling-mesh';

let cluster: Cluster;
let mesh: RollingMesh;
let operator: OperatorProcess;
let shop: string;

beforeAll(async () => {
  cluster = await sharedCluster();
  mesh = await createRollingMesh(cluster);
  await mesh.controlPlane.configure('mesh', { values: {} });
  operator = await mesh.installation.start();
  await mesh.done();
  shop = await cluster.namespace('shop');
});

afterAll(async () => {
  await operator?.stop();
  await mesh?.controlPlane.clear();
  await cluster.delete(rollout());
  await removeFollowers(cluster, shop);
});

const rollout = () => workloadRef('Rollout', shop);
const asked = () => cluster.auditEvents({ user: mesh.installation.user, resource: 'rollouts' });
const pods = (): Promise<KubeObject[]> => cluster.list('v1', 'Pod', { namespace: shop, labelSelector: 'app=rollout' });

test('the operator lists no Rollouts without their CRD', async () => {
  expect(asked()).toEqual([]);
});

test('a Rollout restarts on request, and counts as in progress until its controller is done', async () => {
  await applyWorkloads(cluster, shop);
  await finishRollouts(cluster);
  await cluster.eventually(async () => expect(JSON.stringify(await mesh.status())).toContain('Rollout/web'));
  const hash = await mesh.change('debug', { maxUnavailableWorkloads: 4 });
  const restartAt = await cluster.eventually(async () => {
    const { spec } = await cluster.get(rollout());
    const { injector } = await mesh.status();
    expect(injector.configHash).toBe(hash);
    expect(Date.parse(spec.restartAt)).toBe(Date.parse(injector.since) + 1_000);
    return spec.restartAt;
  });
  await mesh.says('Progressing', 'True Restarting', `${shop}/Rollout/web`);

  // Does what Argo Rollouts does at this time.
  await cluster.eventually(() => expect(Date.now()).toBeGreaterThan(Date.parse(restartAt)));
  const old = await pods();
  for (const pod of old) await cluster.delete(pod);
  await cluster.eventually(async () => {
    const running = await pods();
    expect(running).toHaveLength(old.length);
    expect(running.every(({ metadata }) => Date.parse(metadata.creationTimestamp ?? '') >= Date.parse(restartAt))).toBe(
      true,
    );
  });
  await finishRollouts(cluster);
  await mesh.done();
  expect(await cluster.get(rollout())).toMatchObject({ spec: { restartAt } });
});
