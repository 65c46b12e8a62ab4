import { setTimeout as sleep } from 'node:timers/promises';
import { type Cluster, sharedCluster } from '../../support/cluster/cluster';
import type { KubeObject } from '../../support/cluster/objects';
import type { OperatorProcess } from '../../support/operator/operator-process';
import {
  configOf,
  createRollingMesh,
  type RollingMesh,
  removeFollowers,
  workload,
} from '../../support/operator/rolling-mesh';

/** A change takes about a second: within this time there is something to interrupt. */
export const LATEST_KILL_MS = 1_000;

/** Counts how often changes restart workloads of each kind while operators are killed. */
interface RestartCounter {
  cluster(): Cluster;
  /** The operators that run, which are stopped after the tests. */
  running: OperatorProcess[];
  /** Starts an operator. */
  start(args?: readonly string[]): Promise<OperatorProcess>;
  /** Waits until nothing is to be restarted. */
  done(): Promise<void>;
  /** Makes a change, and checks that it restarts each workload once. */
  changeOnce(logLevel: string, disturb: () => Promise<void>): Promise<void>;
  /** Kills an operator after a while, and starts another. */
  killLater(delayMs: number, victim: OperatorProcess, args?: readonly string[]): Promise<void>;
}

/** Makes a mesh with workloads of each kind before the tests of a file, and removes it after them. */
export function useRestartCounter(): RestartCounter {
  let cluster: Cluster;
  let mesh: RollingMesh;
  let shop: string;
  let followers: KubeObject[];
  const counter: RestartCounter = {
    running: [],
    cluster: () => cluster,
    start: (args) => mesh.installation.start(args),
    done: () => mesh.done(),
    changeOnce,
    killLater,
  };

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
    for (const operator of counter.running) await operator.stop();
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
    counter.running = counter.running.filter((operator) => operator !== victim);
    counter.running.push(await mesh.installation.start(args));
  }
  return counter;
}
