import { type Cluster, sharedCluster } from '../../support/cluster/cluster';
import type { KubeObject, Reference } from '../../support/cluster/objects';
import type { OperatorProcess } from '../../support/operator/operator-process';
import {
  barePod,
  CONFIG,
  configOf,
  createRollingMesh,
  type RollingMesh,
  removeFollowers,
  templatesOf,
  workload,
} from '../../support/operator/rolling-mesh';

let cluster: Cluster;
let mesh: RollingMesh;
let operator: OperatorProcess;
let shop: string;
let excluded: string;
let followers: KubeObject[];
let strangers: KubeObject[];
let bare: KubeObject;

beforeAll(async () => {
  cluster = await sharedCluster();
  mesh = await createRollingMesh(cluster);
  shop = await cluster.namespace('shop');
  excluded = await cluster.namespace('excluded', { labels: { 'config.linkerd.io/admission-webhooks': 'disabled' } });
  followers = await cluster.applyAll([
    workload('Deployment', 'web', shop, { spec: { replicas: 2 } }),
    workload('StatefulSet', 'db', shop, { spec: { replicas: 2 } }),
    workload('DaemonSet', 'agent', shop),
  ]);
  strangers = await cluster.applyAll([
    workload('Deployment', 'not-asking', shop, { asks: false }),
    workload('Deployment', 'not-injected', shop, { injected: false }),
    workload('Deployment', 'excluded', excluded),
  ]);
  bare = await cluster.apply(barePod('bare', shop));
  for (const object of [...followers, ...strangers]) await cluster.rolledOut(object);
  operator = await mesh.installation.start();
});

afterAll(async () => {
  await operator?.stop();
  await mesh?.controlPlane.clear();
  for (const namespace of [shop, excluded]) await removeFollowers(cluster, namespace);
});

const all = () => [...followers, ...strangers, mesh.injector];
const generations = (objects: readonly Reference[]) =>
  Promise.all(objects.map(async (object) => (await cluster.get(object)).metadata.generation));
const templates = (objects: readonly Reference[]) => Promise.all(objects.map((object) => templatesOf(cluster, object)));

test('adopting a control plane without a change restarts nothing', async () => {
  const before = await generations(all());
  await mesh.controlPlane.configure('mesh', { maxUnavailableWorkloads: 10, values: {} });
  await mesh.done();
  expect(await generations(all())).toEqual(before);
  expect((await mesh.status()).injector).toBeUndefined();
});

test('a change restarts the injector, then each injected workload once, and nothing else', async () => {
  const [kept, changed] = [await generations(strangers), await templates(followers)];
  const { uid } = (await cluster.get(bare)).metadata;
  const hash = await mesh.change('info');
  await mesh.done();
  expect((await mesh.status()).injector).toMatchObject({ configHash: hash });
  expect(await Promise.all(followers.map((object) => configOf(cluster, object)))).toEqual([hash, hash, hash]);
  expect(await templates(followers)).toEqual(changed.map((count) => count + 1));
  expect(await generations(strangers)).toEqual(kept);
  expect((await cluster.get(bare)).metadata.uid).toBe(uid);
  await cluster.eventually(async () => {
    const events = (await cluster.list('v1', 'Event', { namespace: shop })).filter(
      ({ reason }) => reason === 'Restarted',
    );
    expect(events.map(({ involvedObject }) => involvedObject.name).sort()).toEqual(namesOf(followers));
    for (const { message } of events) expect(message).toContain(hash);
  });
});

test('the operator applies a change of values that only components use without a restart', async () => {
  const before = await generations(all());
  const { configHash, valuesHash } = await mesh.status();
  await cluster.patch(CONFIG, { spec: { values: { controllerReplicas: 3 } } });
  await cluster.eventually(async () => expect((await mesh.status()).valuesHash).not.toBe(valuesHash));
  await mesh.done();
  expect(await mesh.controlPlane.values()).toContain('controllerReplicas: 3');
  expect((await mesh.status()).configHash).toBe(configHash);
  expect(await generations(all())).toEqual(before);
});

const namesOf = (objects: readonly KubeObject[]) => objects.map(({ metadata }) => metadata.name).sort();

test('the status lists workloads that follow, that have no proxy, and that the operator cannot restart', async () => {
  const { workloads, unmanagedPods } = await mesh.status();
  expect(workloads).toEqual([
    {
      namespace: shop,
      injected: ['DaemonSet/agent', 'Deployment/web', 'StatefulSet/db'],
      injectedCount: 3,
      uninjected: ['Deployment/not-injected'],
      uninjectedCount: 1,
    },
  ]);
  expect(unmanagedPods).toEqual({ count: 1, pods: [`${shop}/bare`] });
});

test('the operator restarts no workload without an injector', async () => {
  const injector = await cluster.get(mesh.injector);
  const before = await generations(followers);
  await cluster.delete(mesh.injector);
  await mesh.change('debug');
  await mesh.says('Degraded', 'True InjectorMissing', 'linkerd-proxy-injector');
  expect(await generations(followers)).toEqual(before);
  const { name, namespace } = injector.metadata;
  const { template, selector } = injector.spec;
  await cluster.apply({ ...mesh.injector, metadata: { name, namespace }, spec: { selector, template } } as KubeObject);
  await mesh.done();
  expect(await cluster.get(CONFIG)).toBeDefined();
});
