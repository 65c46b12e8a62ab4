import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { type Cluster, sharedCluster } from '../../cluster/cluster';
import type { KubeObject } from '../../cluster/objects';
import type { OperatorProcess } from '../../support/operator/operator-process';
import {
  configOf,
  createRollingMesh,
  type RollingMesh,
  removeFollowers,
  workload,
} from '../../support/operator/rolling-mesh';

jest.setTimeout(600_000);

const CHANGES = 50;
const RIVAL_CHANGES = 8;
/** A change takes about a second: within this time there is something to interrupt. */
const LATEST_KILL_MS = 1_000;

let cluster: Cluster;
let mesh: RollingMesh;
let shop: string;
let followers: KubeObject[];
let running: OperatorProcess[] = [];

beforeAll(async () => {
  cluster = await sharedCluster();
  mesh = await createRollingMesh(cluster);
  shop = await cluster.namespace('shop');
  followers = await cluster.applyAll([
    workload('Deployment', 'web', shop),
    workload('Deployment', 'recreated', shop, { spec: { strategy: { type: 'Recreate' } } }),
    workload('StatefulSet', 'db', shop),
    workload('DaemonSet', 'agent', shop),
  ]);
  for (const object of followers) await cluster.rolledOut(object);
  await mesh.controlPlane.configure('mesh', { maxUnavailableWorkloads: 2, values: {} });
});

afterAll(async () => {
  for (const operator of running) await operator.stop();
  await mesh?.controlPlane.clear();
  await removeFollowers(cluster, shop);
});

/** Returns the times that the workloads were told to start anew: nothing but the operator changes their specs. */
const generations = () =>
  Promise.all(followers.map(async (object) => (await cluster.get(object)).metadata.generation ?? 0));

/** Makes a change, and checks that it restarts each workload once. */
async function changeOnce(logLevel: string, disturb: () => Promise<void>): Promise<void> {
  const before = await generations();
  const [hash] = await Promise.all([mesh.change(logLevel), disturb()]);
  await mesh.done();
  expect(await Promise.all(followers.map((object) => configOf(cluster, object)))).toEqual(followers.map(() => hash));
  expect(await generations()).toEqual(before.map((generation) => generation + 1));
}

async function killLater(delayMs: number, victim: OperatorProcess, args: readonly string[] = []): Promise<void> {
  await sleep(delayMs);
  await victim.kill('SIGKILL');
  running = running.filter((operator) => operator !== victim);
  running.push(await mesh.installation.start(args));
}

test(`${CHANGES} changes restart each workload as often, also if the operator is killed again and again`, async () => {
  running = [await mesh.installation.start()];
  await mesh.done();
  const delays = fc.sample(fc.option(fc.integer({ min: 0, max: LATEST_KILL_MS })), CHANGES);
  for (const [index, delayMs] of delays.entries()) {
    const [operator] = running as [OperatorProcess];
    await changeOnce(`info,n${index}=debug`, async () => {
      if (delayMs !== null) await killLater(delayMs, operator);
    });
  }
});

test('nor do two replicas that fight for the lease restart anything twice', async () => {
  for (const operator of running) await operator.stop();
  const election = [
    '--leader-elect',
    '--leader-elect-lease-duration=4s',
    '--leader-elect-renew-deadline=3s',
    '--leader-elect-retry-period=200ms',
  ];
  running = await Promise.all([mesh.installation.start(election), mesh.installation.start(election)]);
  const leads = (operator: OperatorProcess) => operator.logs().some(({ msg }) => msg === 'this process leads');
  const delays = fc.sample(fc.integer({ min: 0, max: LATEST_KILL_MS }), RIVAL_CHANGES);
  for (const [index, delayMs] of delays.entries()) {
    const leader = await cluster.eventually(() => {
      const leaders = running.filter(leads);
      expect(leaders).toHaveLength(1);
      return leaders[0] as OperatorProcess;
    });
    await changeOnce(`warn,n${index}=debug`, () => killLater(delayMs, leader, election));
  }
});
