import { emptyCluster, type OwnCluster } from '../../support/cluster/cluster';
import { completes } from '../../support/operator/changes/propagation-changes';
import { NETWORKS } from '../../support/operator/network-fixture';
import { createOperatedMesh, type OperatedMesh } from '../../support/operator/operated-mesh';
import type { OperatorProcess } from '../../support/operator/operator-process';
import { makeNamespaces } from './namespaces';
import { KEPT, restartsOf } from './restarts';

let cluster: OwnCluster;
let mesh: OperatedMesh;
let replicas: OperatorProcess[] = [];

beforeAll(async () => {
  cluster = await emptyCluster();
  mesh = await createOperatedMesh(cluster);
  replicas = await Promise.all([mesh.installation.start(), mesh.installation.start()]);
  await mesh.configured();
});
afterAll(async () => {
  await Promise.all(replicas.map((replica) => replica.stop()));
  await cluster?.stop();
});

const leads = (replica: OperatorProcess) => replica.logs().some(({ msg }) => msg === 'this process leads');

/** The API server logs this status for a request whose client has died, whether or not it was carried out. */
const CLIENT_GONE = 504;

/** The namespaces of the operator's requests to create a network that ended with this code, one for each request. */
const creations = (code: number, namespaces: readonly string[]): string[] =>
  cluster
    .auditEvents({ user: mesh.installation.user, verb: 'create', resource: NETWORKS, code })
    .flatMap(({ objectRef }) => objectRef?.namespace ?? [])
    .filter((namespace) => namespaces.includes(namespace));

test('the other replica completes the work of a killed leader without a second creation', async () => {
  const [before, after] = [await makeNamespaces(cluster, 25), await makeNamespaces(cluster, 25)];
  const change = await completes(mesh);
  const leader = await cluster.eventually(() => {
    const leading = replicas.filter(leads);
    expect(leading).toHaveLength(1);
    return leading[0] as OperatorProcess;
  });

  const attaching = Promise.all([change.make(), before.attach()]);
  await cluster.eventually(async () => expect(await before.attached()).toBeGreaterThan(0), { intervalMs: 5 });
  await leader.kill('SIGKILL');
  replicas = replicas.filter((replica) => replica !== leader);
  await Promise.all([attaching, after.attach()]);

  await cluster.eventually(async () => expect([await before.attached(), await after.attached()]).toEqual([25, 25]));
  await cluster.eventually(change.seen);
  expect(replicas.map(leads)).toEqual([true]);
  const names = [...before.names, ...after.names];
  const created = creations(201, names);
  expect(created).toHaveLength(new Set(created).size);
  const asked = new Set([...created, ...creations(CLIENT_GONE, names)]);
  expect([...asked].toSorted()).toEqual(names.toSorted());
  for (const kind of KEPT) {
    const restarts = await restartsOf(cluster, mesh.shop, kind);
    expect(restarts).toHaveLength(1);
  }
});
