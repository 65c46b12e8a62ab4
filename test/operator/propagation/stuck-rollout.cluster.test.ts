import { CONFIG_ANNOTATION } from '#operator/api/names';
import { type Cluster, sharedCluster } from '../../support/cluster/cluster';
import { type KubeObject, ref } from '../../support/cluster/objects';
import type { OperatorProcess } from '../../support/operator/operator-process';
import {
  configOf,
  createRollingMesh,
  type Kind,
  type RollingMesh,
  removeFollowers,
  workload,
} from '../../support/operator/rolling-mesh';

/** A resource of the node. After its removal, running pods keep it, and new pods cannot be scheduled. */
const ROOM = 'stuck-rollout.test/room';
const NODE = ref('v1', 'Node', 'node-a');

let cluster: Cluster;
let mesh: RollingMesh;
let operator: OperatorProcess;
let shop: string;

beforeAll(async () => {
  cluster = await sharedCluster();
  mesh = await createRollingMesh(cluster);
  shop = await cluster.namespace('shop');
  await makeRoom('9');
  await mesh.controlPlane.configure('mesh', { values: {} });
  operator = await mesh.installation.start();
});

afterEach(async () => {
  await makeRoom('9');
  await removeFollowers(cluster, shop);
});
afterAll(async () => {
  await operator?.stop();
  await mesh?.controlPlane.clear();
  await makeRoom(null);
});

const makeRoom = (places: '9' | '0' | null) =>
  cluster.patch(
    NODE,
    { status: { capacity: { [ROOM]: places }, allocatable: { [ROOM]: places } } },
    { subresource: 'status' },
  );

/** On a single node, so that a DaemonSet also has one pod to restart. */
const podSpec = { nodeSelector: { 'kubernetes.io/hostname': NODE.metadata.name } };

/** A workload with pods that request room. */
function needingRoom(kind: Kind, name: string, spec: object): KubeObject {
  const object = workload(kind, name, shop, { spec: { ...spec }, podSpec });
  object.spec.template.spec.containers[0].resources = { limits: { [ROOM]: '1' } };
  return object;
}

async function rolledOut(objects: readonly KubeObject[]): Promise<KubeObject[]> {
  const applied = await cluster.applyAll(objects);
  for (const object of applied) await cluster.rolledOut(object);
  return applied;
}

test.each([
  // The Deployment's own deadline makes it overdue. For the other kinds the LinkerdConfig's deadline applies.
  ['Deployment', { progressDeadlineSeconds: 1 }, { progressDeadlineSeconds: 600 }],
  ['StatefulSet', {}, { progressDeadlineSeconds: 6 }],
] as const)('a stuck %s stops the restarts of others until it completes', async (kind, spec, limits) => {
  const name = kind.toLowerCase();
  // All of one kind, so that their names alone determine the order.
  const [first, stuck, last] = (await rolledOut([
    workload(kind, `1-${name}`, shop, { podSpec }),
    needingRoom(kind, `2-${name}`, spec),
    workload(kind, `3-${name}`, shop, { podSpec }),
  ])) as [KubeObject, KubeObject, KubeObject];
  await makeRoom('0');

  const hash = await mesh.change(`debug,${kind}=info`, limits);
  await mesh.says('Degraded', 'True RolloutStuck', `${shop}/${kind}/2-${name} `);
  expect(await mesh.controlPlane.condition('mesh', 'Ready')).toBe('False RolloutStuck');
  await cluster.eventually(async () =>
    expect(await mesh.controlPlane.events('mesh')).toContainEqual(
      expect.stringContaining(`${shop}/${kind}/2-${name} `),
    ),
  );
  expect((await mesh.status()).inProgress).toMatchObject([{ workload: `${shop}/${kind}/2-${name}` }]);
  expect([await configOf(cluster, first), await configOf(cluster, stuck)]).toEqual([hash, hash]);
  expect(await configOf(cluster, last)).not.toBe(hash);

  await makeRoom('9');
  await mesh.done();
  expect(await configOf(cluster, last)).toBe(hash);
  expect(await mesh.controlPlane.condition('mesh', 'Degraded')).toMatch(/^False/);
});

test('the operator reports a client that removes its annotation, and does not repeat the restart', async () => {
  const [web] = (await rolledOut([needingRoom('Deployment', 'web', {})])) as [KubeObject];
  await makeRoom('0');
  const hash = await mesh.change('info,fought=debug');
  await cluster.eventually(async () => expect(await configOf(cluster, web)).toBe(hash));
  const annotations = { [CONFIG_ANNOTATION]: null };
  const { metadata } = await cluster.patch(web, { spec: { template: { metadata: { annotations } } } });
  await mesh.says('Progressing', 'True Waiting', `${shop}/Deployment/web (another client removed`);
  expect((await cluster.get(web)).metadata.generation).toBe(metadata.generation);
});
