import { setTimeout as sleep } from 'node:timers/promises';
import { type Cluster, sharedCluster } from '../../support/cluster/cluster';
import { type KubeObject, type Reference, ref } from '../../support/cluster/objects';
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

test('a change restarts the injector, then once what follows it and is injected, and nothing else', async () => {
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
    const told = (await cluster.list('v1', 'Event', { namespace: shop })).filter(
      ({ reason }) => reason === 'Restarted',
    );
    expect(told.map(({ involvedObject }) => involvedObject.name).sort()).toEqual(namesOf(followers));
    for (const { message } of told) expect(message).toContain(hash);
  });
});

test('a change of what only components have is put in force and restarts nothing', async () => {
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

test('the status lists workloads that follow, that have no proxy, and that cannot be restarted', async () => {
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

test('what is new after the change, or restarted with the injector later, is left as it is', async () => {
  const { since } = (await mesh.status()).injector;
  // Times of pods are whole seconds: within the second of the change nobody can tell.
  await sleep(Math.max(0, Date.parse(since) + 1_000 - Date.now()));
  const late = await cluster.apply(workload('Deployment', 'late', shop));
  await cluster.rolledOut(late);
  const before = [...(await generations(followers)), (await cluster.get(late)).metadata.generation];
  const restartedAt = { 'kubectl.kubernetes.io/restartedAt': new Date().toISOString() };
  await cluster.patch(mesh.injector, { spec: { template: { metadata: { annotations: restartedAt } } } });
  await cluster.rolledOut(mesh.injector);
  // Once the operator reports what came later than all that, it has seen all that.
  await cluster.rolledOut(await cluster.apply(workload('Deployment', 'later', shop)));
  await cluster.eventually(async () => expect(JSON.stringify(await mesh.status())).toContain('Deployment/later'));
  await mesh.done();
  expect([...(await generations(followers)), (await cluster.get(late)).metadata.generation]).toEqual(before);
  expect((await mesh.status()).injector.since).toBe(since);
});

test('a restart waits until the budgets allow it, and lets the others go', async () => {
  const [web, db] = followers as [KubeObject, KubeObject];
  const selector = { matchLabels: { app: 'db' } };
  const budget = { ...ref('policy/v1', 'PodDisruptionBudget', 'db', shop), spec: { selector, minAvailable: 2 } };
  await cluster.apply(budget);
  await cluster.eventually(async () =>
    expect((await cluster.get(budget)).status).toMatchObject({ observedGeneration: 1, disruptionsAllowed: 0 }),
  );
  const hash = await mesh.change('warn');
  const why = `${shop}/StatefulSet/db (PodDisruptionBudget db allows 0 disruptions, it needs 1)`;
  await mesh.says('Progressing', 'True Waiting', why);
  expect(await configOf(cluster, web)).toBe(hash);
  expect(await configOf(cluster, db)).not.toBe(hash);
  await cluster.delete(budget);
  await mesh.done();
  expect(await configOf(cluster, db)).toBe(hash);
});

test('OnDelete waits for who deletes the pods, and lets the others go', async () => {
  const [web, db] = followers as [KubeObject, KubeObject];
  await cluster.patch(db, { spec: { updateStrategy: { type: 'OnDelete', rollingUpdate: null } } });
  const hash = await mesh.change('error');
  await mesh.says('Progressing', 'True Waiting', 'its update strategy is OnDelete');
  expect([await configOf(cluster, web), await configOf(cluster, db)]).toEqual([hash, hash]);
  for (const name of ['db-0', 'db-1']) await cluster.delete(ref('v1', 'Pod', name, shop));
  await mesh.done();
  await cluster.patch(db, { spec: { updateStrategy: { type: 'RollingUpdate' } } });
});

test('a workload whose restart an admission rule refuses is skipped and reported', async () => {
  const policy = {
    ...ref('admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicy', `hands-off-${shop}`),
    spec: {
      matchConstraints: {
        resourceRules: [
          { apiGroups: ['apps'], apiVersions: ['v1'], operations: ['UPDATE'], resources: ['daemonsets'] },
        ],
      },
      validations: [{ expression: 'false', message: 'hands off' }],
    },
  };
  const binding = {
    ...ref('admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicyBinding', `hands-off-${shop}`),
    spec: {
      policyName: policy.metadata.name,
      validationActions: ['Deny'],
      matchResources: { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': shop } } },
    },
  };
  await cluster.applyAll([policy, binding]);
  const [web, , agent] = followers as [KubeObject, KubeObject, KubeObject];
  const attempt = () => cluster.patch(agent, { metadata: { labels: { try: 'it' } } }, { dryRun: true });
  await cluster.eventually(() => expect(attempt()).rejects.toThrow('hands off'));
  const hash = await mesh.change('trace', { maxUnavailableWorkloads: 1 });
  await mesh.says('Progressing', 'True Waiting', 'hands off');
  expect([await configOf(cluster, web), await configOf(cluster, agent)]).toEqual([
    hash,
    expect.not.stringMatching(hash),
  ]);
  for (const object of [binding, policy]) await cluster.delete(object);
  await cluster.eventually(attempt);
  await mesh.change('info', { maxUnavailableWorkloads: 10 });
  await mesh.done();
});

test('without an injector there is nothing to restart for', async () => {
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
