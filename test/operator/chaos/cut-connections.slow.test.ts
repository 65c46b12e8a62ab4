import { setTimeout as sleep } from 'node:timers/promises';
import { emptyCluster, type OwnCluster } from '../../support/cluster/cluster';
import { startTcpProxy, type TcpProxy } from '../../support/controller-runtime/tcp-proxy';
import { completes } from '../../support/operator/changes/propagation-changes';
import { cniConfigMap } from '../../support/operator/network-fixture';
import { createOperatedMesh, type OperatedMesh } from '../../support/operator/operated-mesh';
import { makeNamespaces } from './namespaces';
import { KEPT, restartsOf } from './restarts';

/** The proxy first holds back all traffic for `SILENT_MS`, and then refuses all connections for `CUT_MS`. */
const SILENT_MS = 25_000;
const CUT_MS = 35_000;

let cluster: OwnCluster;
let proxy: TcpProxy;
let mesh: OperatedMesh;

beforeAll(async () => {
  cluster = await emptyCluster();
  proxy = await startTcpProxy(cluster.server);
  // With leader election, the process would exit during the outage.
  mesh = await createOperatedMesh(cluster, { server: proxy.url, args: [] });
  await mesh.start();
  await mesh.configured();
});
afterAll(async () => {
  await mesh?.stop();
  await proxy?.stop();
  await cluster?.stop();
});

test('the operator catches up once with changes made while it cannot reach the API server for a minute', async () => {
  const [joining, leaving] = [await makeNamespaces(cluster, 20), await makeNamespaces(cluster, 20)];
  await leaving.attach();
  await cluster.eventually(async () => expect(await leaving.attached()).toBe(20));
  const [first, second] = [await completes(mesh), await completes(mesh)];

  await first.make();
  const half = joining.attach();
  await sleep(200);
  proxy.hold(true);
  await half;
  await Promise.all([second.make(), leaving.detach()]);
  await cluster.apply(cniConfigMap(mesh.installation.cniNamespace, { 'proxy-uid': 4711 }));
  await sleep(SILENT_MS);
  proxy.refuse(true);
  await sleep(CUT_MS);
  expect(await leaving.attached()).toBe(20);
  proxy.hold(false);
  proxy.refuse(false);

  const patience = { timeoutMs: 150_000, intervalMs: 250 };
  await cluster.eventually(second.seen, patience);
  await cluster.eventually(async () => {
    expect([await joining.attached('"proxy-uid": 4711'), await leaving.attached()]).toEqual([20, 0]);
  }, patience);
  const { configHash } = (await mesh.reported()).status;
  for (const kind of KEPT) {
    const restarts = await restartsOf(cluster, mesh.shop, kind);
    expect(restarts).toContain(configHash);
    expect(restarts).toEqual([...new Set(restarts)]);
  }
});
