import { ApiError, isApiError } from '#controller-runtime/client/api-error';
import type { Connection } from '#controller-runtime/client/connection';
import type { KubeClient } from '#controller-runtime/client/kube-client';
import { createKubeClient } from '#controller-runtime/client/rest-client';
import type { ResponseInfo } from '#controller-runtime/client/rest-transport';
import { CONFIG_MAPS, DEPLOYMENTS, NAMESPACES, PODS } from '#controller-runtime/objects/built-in-resources';
import type { KubeObject } from '#controller-runtime/objects/kube-object';
import { type Cluster, sharedCluster } from '#test/support/cluster/cluster';
import { ref } from '#test/support/cluster/objects';
import { closeConnection, connectionOf } from '#test/support/controller-runtime/test-connection';

interface ConfigMap extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

let cluster: Cluster;
let connection: Connection;
let client: KubeClient;
let ns: string;
const responses: ResponseInfo[] = [];

beforeAll(async () => {
  cluster = await sharedCluster();
  connection = connectionOf(cluster.kubeconfig({ user: 'somebody', groups: ['system:masters'] }));
  client = createKubeClient(connection, { fieldManager: 'under-test', onResponse: (info) => responses.push(info) });
  ns = await cluster.namespace('client');
});

afterAll(() => closeConnection(connection));

const configMap = (name: string, data: Record<string, string> = {}) => ({ metadata: { name, namespace: ns }, data });
const managers = async (name: string) =>
  (await cluster.get(ref('v1', 'ConfigMap', name, ns))).metadata.managedFields?.map(
    (entry: { manager?: string; operation?: string }) => `${entry.manager} ${entry.operation}`,
  );

test('get returns an object with its kind', async () => {
  await cluster.create({ apiVersion: 'v1', kind: 'ConfigMap', ...configMap('found', { a: '1' }) });
  expect(await client.get<ConfigMap>(CONFIG_MAPS, `${ns}/found`)).toMatchObject({
    kind: 'ConfigMap',
    data: { a: '1' },
  });
});

test('get returns undefined for a missing object', async () => {
  expect(await client.get(CONFIG_MAPS, `${ns}/missing`)).toBeUndefined();
});

test('the client refuses a key that does not fit the resource before it sends a request', async () => {
  await expect(client.get(CONFIG_MAPS, 'name-only')).rejects.toThrow(
    "The key of a ConfigMap is 'namespace/name', got 'name-only'",
  );
  await expect(client.get(NAMESPACES, 'a/b')).rejects.toThrow("The key of a Namespace is 'name', got 'a/b'");
  await expect(client.create(CONFIG_MAPS, { metadata: { name: 'x' } })).rejects.toThrow("'namespace/name'");
});

test("create writes with the client's field manager, and fails if the object exists", async () => {
  const created = await client.create<ConfigMap>(CONFIG_MAPS, configMap('created', { a: '1' }));
  expect(created).toMatchObject({ kind: 'ConfigMap', metadata: { uid: expect.any(String) } });
  expect(await managers('created')).toEqual(['under-test Update']);
  const second = client.create(CONFIG_MAPS, configMap('created'));
  await expect(second).rejects.toMatchObject({ status: 409, reason: 'AlreadyExists' });
});

test('create of a subresource posts to its object', async () => {
  const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 600 } };
  const serviceAccounts = { apiVersion: 'v1', kind: 'ServiceAccount', plural: 'serviceaccounts', namespaced: true };
  const request = { ...review, metadata: { name: 'default', namespace: ns } };
  const answer = await client.create(serviceAccounts, request, { subresource: 'token' });
  expect(answer).toMatchObject({ status: { token: expect.any(String) } });
});

test('apply creates an object, removes fields that it leaves out, and owns the rest', async () => {
  await client.apply(CONFIG_MAPS, configMap('applied', { a: '1', b: '2' }));
  await client.apply(CONFIG_MAPS, configMap('applied', { a: '1' }));
  expect(await client.get<ConfigMap>(CONFIG_MAPS, `${ns}/applied`)).toMatchObject({ data: { a: '1' } });
  expect((await client.get<ConfigMap>(CONFIG_MAPS, `${ns}/applied`))?.data).not.toHaveProperty('b');
  expect(await managers('applied')).toEqual(['under-test Apply']);
});

test('apply takes over the field of another manager only by force', async () => {
  await cluster.apply({ apiVersion: 'v1', kind: 'ConfigMap', ...configMap('contested', { a: 'theirs' }) });
  const gently = client.apply(CONFIG_MAPS, configMap('contested', { a: 'ours' }));
  await expect(gently).rejects.toMatchObject({ status: 409, reason: 'Conflict' });
  const applied = await client.apply<ConfigMap>(CONFIG_MAPS, configMap('contested', { a: 'ours' }), { force: true });
  expect(applied.data).toEqual({ a: 'ours' });
});

test('a merge patch removes fields with null, and a JSON patch tests values', async () => {
  await client.create(CONFIG_MAPS, configMap('patched', { a: '1', b: '2' }));
  const key = `${ns}/patched`;
  const merged = await client.patch<ConfigMap>(CONFIG_MAPS, key, {
    type: 'merge',
    body: { data: { a: null, c: '3' } },
  });
  expect(merged.data).toEqual({ b: '2', c: '3' });
  const test = { op: 'test', path: '/data/b', value: 'other' } as const;
  const refused = client.patch(CONFIG_MAPS, key, { type: 'json', body: [test, { op: 'remove', path: '/data/b' }] });
  await expect(refused).rejects.toMatchObject({ status: 422 });
  const removed = await client.patch<ConfigMap>(CONFIG_MAPS, key, {
    type: 'json',
    body: [{ op: 'remove', path: '/data/b' }],
  });
  expect(removed.data).toEqual({ c: '3' });
});

test('a patch of a missing object fails with 404', async () => {
  const patch = client.patch(CONFIG_MAPS, `${ns}/missing`, { type: 'merge', body: {} });
  await expect(patch).rejects.toMatchObject({ status: 404, reason: 'NotFound' });
});

test('update replaces an object, unless another client changed it before', async () => {
  const created = await client.create<ConfigMap>(CONFIG_MAPS, configMap('updated', { a: '1' }));
  const updated = await client.update<ConfigMap>(CONFIG_MAPS, { ...created, data: { b: '2' } });
  expect(updated.data).toEqual({ b: '2' });
  const late = client.update<ConfigMap>(CONFIG_MAPS, { ...created, data: {} });
  await expect(late).rejects.toMatchObject({ status: 409, reason: 'Conflict' });
});

test('the client writes a subresource without the object', async () => {
  const metadata = { name: 'web', namespace: ns };
  const labels = { app: 'web' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web' }] } };
  const spec = { replicas: 0, selector: { matchLabels: labels }, template };
  await client.create(DEPLOYMENTS, { metadata, spec } as KubeObject);
  const body = { spec: { replicas: 9 }, status: { observedGeneration: 7 } };
  const patched = await client.patch(DEPLOYMENTS, `${ns}/web`, { type: 'merge', body }, { subresource: 'status' });
  expect(patched).toMatchObject({ spec: { replicas: 0 } });
  const condition = { type: 'Odd', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' };
  const status = { conditions: [condition] };
  const applied = await client.apply(DEPLOYMENTS, { metadata, status } as KubeObject, {
    subresource: 'status',
    force: true,
  });
  expect(applied).toMatchObject({
    status: { conditions: expect.arrayContaining([expect.objectContaining(condition)]) },
  });
});

test('apply respects a version, and with a uid does not recreate a deleted object', async () => {
  const { metadata } = await client.apply<KubeObject>(CONFIG_MAPS, configMap('versioned', { a: '1' }));
  const applyOver = (wanted: Partial<KubeObject['metadata']>) => {
    const body = configMap('versioned', { a: '2' });
    return client.apply<KubeObject>(
      CONFIG_MAPS,
      { ...body, metadata: { ...body.metadata, ...wanted } },
      { force: true },
    );
  };
  const { uid, resourceVersion } = metadata;
  await applyOver({ uid, resourceVersion });
  await expect(applyOver({ uid, resourceVersion })).rejects.toMatchObject({ status: 409, reason: 'Conflict' });
  await client.delete(CONFIG_MAPS, `${ns}/versioned`);
  await expect(applyOver({ uid, resourceVersion })).rejects.toMatchObject({ status: 409, reason: 'Conflict' });
  expect((await applyOver({ resourceVersion })).metadata.uid).not.toBe(uid);
  await expect(applyOver({ uid, resourceVersion })).rejects.toMatchObject({ status: 409, reason: 'Conflict' });
});

test('delete respects its preconditions, and returns whether the object existed', async () => {
  const { metadata } = await client.create<KubeObject>(CONFIG_MAPS, configMap('doomed'));
  const key = `${ns}/doomed`;
  const other = client.delete(CONFIG_MAPS, key, { preconditions: { uid: 'another' } });
  await expect(other).rejects.toMatchObject({ status: 409, reason: 'Conflict' });
  const { uid, resourceVersion } = metadata;
  expect(await client.delete(CONFIG_MAPS, key, { preconditions: { uid, resourceVersion } })).toBe(true);
  expect(await client.delete(CONFIG_MAPS, key)).toBe(false);
  expect(await client.get(CONFIG_MAPS, key)).toBeUndefined();
});

test('list applies selectors, reads all pages, and completes the kind', async () => {
  const many = await cluster.namespace('many');
  const names = Array.from({ length: 1_101 }, (_, index) => `cm-${String(index).padStart(4, '0')}`);
  await Promise.all(
    names.map((name) => client.create(CONFIG_MAPS, { metadata: { name, namespace: many, labels: { name } } })),
  );
  const { items, resourceVersion } = await client.list(CONFIG_MAPS, { namespace: many, labelSelector: 'name' });
  expect(items.map((item) => item.metadata.name)).toEqual(names);
  expect(items[0]).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap' });
  expect(Number(resourceVersion)).toBeGreaterThan(0);
  const lists = cluster.auditEvents({ verb: 'list', resource: 'configmaps', namespace: many });
  expect(lists).toHaveLength(3);

  const one = await client.list(CONFIG_MAPS, { namespace: many, fieldSelector: 'metadata.name=cm-0007' });
  expect(one.items.map((item) => item.metadata.name)).toEqual(['cm-0007']);
});

test("a request for metadata returns no data, and the object's own kind", async () => {
  await client.create(CONFIG_MAPS, {
    metadata: { name: 'meta', namespace: ns, labels: { meta: '1' } },
    data: { a: '1' },
  });
  const { items } = await client.list(CONFIG_MAPS, { namespace: ns, labelSelector: 'meta', metadataOnly: true });
  expect(items).toEqual([{ apiVersion: 'v1', kind: 'ConfigMap', metadata: expect.objectContaining({ name: 'meta' }) }]);
});

test('a request for a kind that is not served fails with 404 without a reason', async () => {
  const unknown = { apiVersion: 'nobody.example/v1', kind: 'None', plural: 'nones', namespaced: true };
  const error = await client.list(unknown).catch((reason: unknown) => reason);
  expect(isApiError(error, 404)).toBe(true);
  expect(error).toMatchObject({ reason: '', message: 'GET /apis/nobody.example/v1/nones: 404: 404 page not found' });
});

test('a request without permission fails with a 403 that names the permission', async () => {
  const nobody = connectionOf(cluster.kubeconfig({ token: await cluster.serviceAccountToken(ns, 'default') }));
  const error = await createKubeClient(nobody, { fieldManager: 'nobody' })
    .list(PODS)
    .catch((reason: unknown) => reason);
  closeConnection(nobody);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ status: 403, reason: 'Forbidden', message: expect.stringContaining('cannot list') });
});

test('the client counts each answer', async () => {
  responses.length = 0;
  await client.get(CONFIG_MAPS, `${ns}/missing`);
  const { host } = new URL(cluster.server);
  expect(responses).toEqual([{ method: 'GET', code: '404', host, date: expect.stringMatching(/ GMT$/) }]);
});
