import { createInformer, type Informer, type InformerOptions } from '#controller-runtime/cache/informer';
import type { Change } from '#controller-runtime/cache/store';
import type { Connection } from '#controller-runtime/client/connection';
import { createKubeClient } from '#controller-runtime/client/rest-client';
import { CONFIG_MAPS } from '#controller-runtime/objects/built-in-resources';
import { createLogger } from '#controller-runtime/telemetry/logger';
import { type Cluster, sharedCluster } from '#test/support/cluster/cluster';
import { ref } from '#test/support/cluster/objects';
import { type ConfigMap, type RunningInformer, runInformer } from '#test/support/controller-runtime/running-informer';
import { closeConnection, connectionOf } from '#test/support/controller-runtime/test-connection';

let cluster: Cluster;
let connection: Connection;
let ns: string;
let running: RunningInformer[];

beforeAll(async () => {
  cluster = await sharedCluster();
  connection = connectionOf(cluster.kubeconfig());
});

beforeEach(async () => {
  running = [];
  ns = await cluster.namespace('informer');
});

afterEach(() => Promise.all(running.map((informer) => informer.stop())));
afterAll(() => closeConnection(connection));

const lines: string[] = [];

function informerOf(options: Partial<InformerOptions<ConfigMap>> = {}): Informer<ConfigMap> {
  const client = createKubeClient(connection, { fieldManager: 'tester' });
  const log = createLogger({ level: 'debug', write: (line) => lines.push(line) });
  // Excludes the ConfigMap of the cluster's CA, which each namespace has.
  const fieldSelector = 'metadata.name!=kube-root-ca.crt';
  return createInformer<ConfigMap>(
    { client, log },
    { resource: CONFIG_MAPS, namespace: ns, fieldSelector, ...options },
  );
}

async function start(options: Partial<InformerOptions<ConfigMap>> = {}): Promise<Informer<ConfigMap>> {
  const informer = informerOf(options);
  running.push(runInformer(informer));
  await informer.whenSynced(AbortSignal.timeout(20_000));
  return informer;
}

const put = (name: string, data: Record<string, string> = {}, labels: Record<string, string> = {}) =>
  cluster.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: ns, labels }, data });
const remove = (name: string) => cluster.delete(ref('v1', 'ConfigMap', name, ns));
const show = (change: Change<ConfigMap>): string => `${change.type} ${change.object.metadata.name}`;
const names = (objects: readonly ConfigMap[]) => objects.map((object) => object.metadata.name).sort();

test('an informer has existing objects, and follows changes', async () => {
  await put('before', { a: '1' });
  const informer = await start();
  expect(informer.get(`${ns}/before`)).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap', data: { a: '1' } });

  await put('before', { a: '2' });
  await put('after', { b: '1' });
  await cluster.eventually(() => {
    expect(informer.get(`${ns}/before`)).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap', data: { a: '2' } });
    expect(names(informer.list())).toEqual(['after', 'before']);
  });
  await remove('before');
  await cluster.eventually(() => expect(names(informer.list())).toEqual(['after']));
});

test('the informer reports since when it is complete, and can reread its objects', async () => {
  const asked = performance.now();
  await put('before', { a: '1' });
  const unread = informerOf();
  expect(unread.heardMs()).toBeUndefined();
  const informer = await start({ transform: ({ metadata }) => ({ metadata }) });
  const listed = informer.heardMs() ?? 0;
  expect(listed).toBeGreaterThan(asked);
  await put('after', { b: '1' });
  await cluster.eventually(() => expect(informer.heardMs()).toBeGreaterThan(listed));
  const read = await unread.read(new AbortController().signal);
  expect(names(read)).toEqual(['after', 'before']);
  expect(unread.list()).toEqual([]);
  const byName = (objects: readonly ConfigMap[]) =>
    objects.toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  expect(byName(await informer.read(new AbortController().signal))).toEqual(byName(informer.list()));
});

test('a new handler gets all objects, then each change until its removal', async () => {
  await put('there');
  const informer = await start();
  const changes: string[] = [];
  const end = informer.onChange((change) => changes.push(show(change)));
  expect(changes).toEqual(['added there']);
  await put('there', { a: '1' });
  await remove('there');
  await cluster.eventually(() => expect(changes).toEqual(['added there', 'updated there', 'deleted there']));
  end();
  const stillTold: string[] = [];
  informer.onChange((change) => stillTold.push(show(change)));
  await put('late');
  await cluster.eventually(() => expect(stillTold).toEqual(['added late']));
  expect(changes).toHaveLength(3);
});

test('an informer with a label selector adds and removes objects as their labels change', async () => {
  const informer = await start({ labelSelector: 'in=yes', fieldSelector: undefined });
  const changes: string[] = [];
  informer.onChange((change) => changes.push(show(change)));
  await put('a', {}, { in: 'no' });
  await put('a', {}, { in: 'yes' });
  await put('a', {}, { in: 'no' });
  await put('z', {}, { in: 'yes' });
  await cluster.eventually(() => expect(changes).toEqual(['added a', 'deleted a', 'added z']));
});

test('an informer with a field selector needs no more permissions than those for its one object', async () => {
  const resourceNames = ['mine'];
  const metadata = { name: 'reader', namespace: ns };
  const rules = [{ apiGroups: [''], resources: ['configmaps'], resourceNames, verbs: ['list', 'watch'] }];
  await cluster.apply({ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata, rules });
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' };
  const subjects = [{ kind: 'ServiceAccount', name: 'default', namespace: ns }];
  await cluster.apply({ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'RoleBinding', metadata, roleRef, subjects });
  await put('mine');
  await put('other');

  const reader = connectionOf(cluster.kubeconfig({ token: await cluster.serviceAccountToken(ns, 'default') }));
  const client = createKubeClient(reader, { fieldManager: 'tester' });
  const log = createLogger({ write: () => undefined });
  const options = { resource: CONFIG_MAPS, namespace: ns, fieldSelector: 'metadata.name=mine' };
  const informer = createInformer<ConfigMap>({ client, log }, options);
  running.push(runInformer(informer));
  await informer.whenSynced(AbortSignal.timeout(20_000));
  await put('mine', { a: '1' });
  await cluster.eventually(() => expect(informer.list()).toMatchObject([{ data: { a: '1' } }]));
  await Promise.all(running.splice(-1).map((last) => last.stop()));
  closeConnection(reader);
});

test('an informer of metadata keeps no data from the list or the watch', async () => {
  await put('listed', { a: '1' });
  const informer = await start({ metadataOnly: true });
  await put('watched', { a: '1' });
  await cluster.eventually(() => expect(names(informer.list())).toEqual(['listed', 'watched']));
  for (const object of informer.list()) {
    expect(Object.keys(object)).toEqual(expect.arrayContaining(['apiVersion', 'kind', 'metadata']));
    expect(object).not.toHaveProperty('data');
    expect(object.kind).toBe('ConfigMap');
  }
});

describe.each([
  ['listed', async () => put('a', { keep: '1', drop: '2' })],
  ['watched', async () => undefined],
])('an informer of objects that are %s', (_name, putBefore) => {
  const putAfter = () => put('a', { keep: '1', drop: '2' });

  test('drops managedFields unless a caller requests them', async () => {
    await putBefore();
    const [without, withThem] = [await start(), await start({ keepManagedFields: true })];
    await putAfter();
    await cluster.eventually(() => {
      expect(without.get(`${ns}/a`)).toBeDefined();
      expect(withThem.get(`${ns}/a`)?.metadata.managedFields).toMatchObject([{ manager: 'test' }]);
    });
    expect(without.get(`${ns}/a`)?.metadata).not.toHaveProperty('managedFields');
  });

  test('keeps only the fields that the transform returns', async () => {
    await putBefore();
    const transform = ({ metadata, data }: ConfigMap): ConfigMap => ({ metadata, data: { keep: data?.keep ?? '' } });
    const informer = await start({ transform });
    await putAfter();
    await cluster.eventually(() => expect(informer.get(`${ns}/a`)?.data).toEqual({ keep: '1' }));
  });
});

test('indexes find objects by their contents', async () => {
  const informer = await start({ indexes: { owner: ({ data }) => (data?.owner ? [data.owner] : []) } });
  await put('a', { owner: 'x' });
  await put('b', { owner: 'y' });
  await put('c');
  await cluster.eventually(() => expect(names(informer.byIndex('owner', 'x'))).toEqual(['a']));
  await put('a', { owner: 'y' });
  await cluster.eventually(() => expect(names(informer.byIndex('owner', 'y'))).toEqual(['a', 'b']));
  expect(informer.byIndex('owner', 'x')).toEqual([]);
});

test('a resync delivers unchanged objects', async () => {
  await put('a');
  const informer = await start({ resyncMs: 20 });
  const again: Change<ConfigMap>[] = [];
  informer.onChange((change) => {
    if (change.type === 'updated') again.push(change);
  });
  await cluster.eventually(() => expect(again.length).toBeGreaterThan(2));
  for (const change of again) expect(change).toEqual({ type: 'updated', object: change.object, old: change.object });
});

test('an informer follows a kind whose CRD is created later', async () => {
  const group = 'informer.example';
  const resource = { apiVersion: `${group}/v1`, kind: 'Late', plural: 'lates', namespaced: true };
  const client = createKubeClient(connection, { fieldManager: 'tester' });
  const log = createLogger({ level: 'warn', write: (line) => lines.push(line) });
  lines.length = 0;
  const informer = createInformer({ client, log }, { resource });
  running.push(runInformer(informer));
  await cluster.eventually(() => expect(lines).toHaveLength(1));
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ msg: 'cannot watch', resource: 'lates' });
  expect(informer.hasSynced()).toBe(false);

  const schema = { openAPIV3Schema: { type: 'object' } };
  const crd = await cluster.apply({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `lates.${group}` },
    spec: {
      group,
      names: { kind: 'Late', plural: 'lates' },
      scope: 'Namespaced',
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  });
  await cluster.apply({ apiVersion: resource.apiVersion, kind: 'Late', metadata: { name: 'one', namespace: ns } });
  await cluster.eventually(() => expect(informer.get(`${ns}/one`)).toMatchObject({ kind: 'Late' }));
  await cluster.delete(crd);
});

test('an informer of a quiet resource sends one list and one watch', async () => {
  const responses: string[] = [];
  const client = createKubeClient(connection, {
    fieldManager: 'tester',
    onResponse: ({ code }) => responses.push(code),
  });
  const log = createLogger({ write: () => undefined });
  const informer = createInformer({ client, log }, { resource: CONFIG_MAPS, namespace: ns });
  running.push(runInformer(informer));
  await informer.whenSynced(AbortSignal.timeout(20_000));
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  expect(responses).toEqual(['200', '200']);
});
