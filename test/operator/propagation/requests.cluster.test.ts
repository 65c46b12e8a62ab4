import type { AuditFilter } from '../../support/cluster/audit';
import { type Cluster, sharedCluster } from '../../support/cluster/cluster';
import type { OperatorProcess } from '../../support/operator/operator-process';
import {
  configOf,
  createRollingMesh,
  type RollingMesh,
  removeFollowers,
  workload,
} from '../../support/operator/rolling-mesh';

const WORKLOADS = 16;
const ELECTION = ['--leader-elect'];
/** The maximum of reads for one change, independent of the number of workloads. Slow waves need a few more. */
const READS = 6;

let cluster: Cluster;
let mesh: RollingMesh;
let operator: OperatorProcess;
let shop: string;

beforeAll(async () => {
  cluster = await sharedCluster();
  mesh = await createRollingMesh(cluster);
  shop = await cluster.namespace('shop');
});

afterAll(async () => {
  await operator?.stop();
  await mesh?.controlPlane.clear();
  await removeFollowers(cluster, shop);
});

test('the operator reads the LinkerdConfig and ConfigMaps a few times per wave, not per workload', async () => {
  const names = Array.from({ length: WORKLOADS }, (_, index) => `web-${index}`);
  const followers = await cluster.applyAll(names.map((name) => workload('Deployment', name, shop)));
  for (const follower of followers) await cluster.rolledOut(follower);
  await mesh.controlPlane.configure('mesh', { maxUnavailableWorkloads: 1, values: {} });
  operator = await mesh.installation.start(ELECTION);
  await mesh.done();
  const count = (filter: AuditFilter) => cluster.auditEvents({ user: mesh.installation.user, ...filter }).length;
  const requests = () => ({
    configs: count({ verb: 'get', resource: 'linkerdconfigs' }),
    configMaps: count({ verb: 'get', resource: 'configmaps' }),
    restarts: count({ verb: 'patch', resource: 'deployments' }),
  });
  const before = requests();
  const hash = await mesh.change('debug,counted=info');
  await mesh.done();
  const after = requests();
  expect(await Promise.all(followers.map((follower) => configOf(cluster, follower)))).toEqual(names.map(() => hash));
  expect(after.restarts - before.restarts).toBeGreaterThanOrEqual(WORKLOADS);
  expect(after.configs - before.configs).toBeLessThanOrEqual(READS);
  // The operator reads two ConfigMaps each time.
  expect(after.configMaps - before.configMaps).toBeLessThanOrEqual(2 * READS);
});

test('the operator lists large objects in small pages, since it keeps a whole page in memory', () => {
  const lists = cluster.auditEvents({ user: mesh.installation.user, verb: 'list' }).map(({ requestURI }) => requestURI);
  expect(lists.filter((uri) => !uri.includes('limit=100'))).toEqual([]);
  expect(lists.length).toBeGreaterThan(5);
});

test('a replica that does not lead caches no workloads, and lists them once it leads', async () => {
  const asked = () => {
    const resources = ['pods', 'deployments', 'statefulsets', 'daemonsets', 'replicasets', 'poddisruptionbudgets'];
    const events = resources.map((resource) =>
      cluster.auditEvents({ user: mesh.installation.user, verb: 'list', resource }),
    );
    return events.map((lists) => lists.length);
  };
  const before = asked();
  const follower = await mesh.installation.start(ELECTION);
  try {
    expect(asked()).toEqual(before);
    await operator.stop();
    // Including the workloads of its own namespace.
    await cluster.eventually(() =>
      expect(asked()).toEqual(before.map((count, index) => count + (index === 0 ? 2 : 1))),
    );
    await mesh.change('debug,followed=info');
    await mesh.done();
  } finally {
    operator = follower;
  }
});
