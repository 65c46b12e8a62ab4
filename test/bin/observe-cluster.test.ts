import type { Answer } from '#bin/kubectl';
import {
  observeForDoctor,
  observeForStatus,
  openReader,
  type Reader,
  readLists,
  readResources,
} from '#bin/observe-cluster';
import { CLUSTER_LISTS, type ClusterListName, DOCTOR_LISTS, STATUS_LISTS } from '#lib/review/live/observation';
import { INTENT } from '../review/live/healthy-mesh';

const listOf = (...names: readonly string[]) => ({ items: names.map((name) => ({ metadata: { name } })) });

/**
 * Opens an API server with two versions of the API group of policies and these responses by path. Other paths return
 * 404.
 */
async function serverWith(answers: Readonly<Record<string, unknown>>): Promise<Reader> {
  const versions = ['v1beta3', 'v1beta1'].map((version) => ({ version }));
  const groups = [{ name: 'policy.linkerd.io', versions, preferredVersion: versions[0] }];
  const get = async (path: string): Promise<Answer> => {
    const [place = ''] = path.split('?');
    const answer = { '/apis': { kind: 'APIGroupList', groups }, ...answers }[place];
    if (answer === undefined) return { ok: false, status: 'NotFound', reason: 'not found' };
    return { ok: true, text: typeof answer === 'string' ? answer : JSON.stringify(answer) };
  };
  const reader = await openReader(get, 1);
  if (typeof reader === 'string') throw new Error(reader);
  return reader;
}

test('readLists reads a resource in a version that has it, even if the API server prefers another', async () => {
  const reader = await serverWith({ '/apis/policy.linkerd.io/v1beta1/servers': listOf('web') });
  expect(await readLists('servers', reader)).toEqual({ is: 'read', items: [{ namespace: '', name: 'web' }] });
});

test('readLists reports a resource as absent if no version of its group has it', async () => {
  expect(await readLists('servers', await serverWith({}))).toEqual({ is: 'absent' });
});

test('readLists reads null as an empty list, and reports an answer without a list', async () => {
  const readServers = async (answer: unknown) =>
    readLists('servers', await serverWith({ '/apis/policy.linkerd.io/v1beta3/servers': answer }));
  expect(await readServers({ items: null, metadata: null })).toEqual({ is: 'read', items: [] });
  for (const answer of ['', '{"items":[{"metadata":', 'null', {}, { items: {} }]) {
    expect(await readServers(answer)).toEqual({ is: 'failed', reason: 'the answer is not a list' });
  }
});

test('readResources merges the resources of all versions of a group', async () => {
  const resources = (...names: readonly string[]) => ({ resources: names.map((name) => ({ name })) });
  const read = async (answers: Readonly<Record<string, unknown>>) =>
    readResources('policy.linkerd.io', await serverWith(answers));
  const [preferred, other] = ['/apis/policy.linkerd.io/v1beta3', '/apis/policy.linkerd.io/v1beta1'];
  const both = { is: 'read', items: ['httproutes.policy.linkerd.io', 'servers.policy.linkerd.io'] };
  expect(await read({ [preferred]: resources('httproutes'), [other]: resources('servers') })).toEqual(both);
  // The preferred version was removed after the groups had been listed.
  expect(await read({ [other]: resources('httproutes', 'servers') })).toEqual(both);
  expect(await read({ [preferred]: '{"resources":[{"na', [other]: resources('servers') })).toEqual({
    is: 'failed',
    reason: 'the answer is not a list',
  });
});

/** Opens an API server with all kinds, and an object of each in two namespaces. Counts concurrent requests. */
async function wholeServer() {
  const asked = { paths: new Set<string>(), now: 0, atOnce: 0 };
  const all = Object.values(CLUSTER_LISTS).flatMap(({ resources }) => resources.map(({ group }) => group));
  const groups = [...new Set(all)].map((name) => ({ name, versions: [{ version: 'v1' }] }));
  const items = ['linkerd', 'shop'].map((namespace) => ({
    metadata: { namespace, name: 'web', annotations: { 'cert-manager.io/certificate-name': 'web' } },
    spec: { type: 'LoadBalancer', renewTime: '2026-11-26T11:00:00Z' },
    status: { conditions: [{ type: 'Denied', status: 'True' }] },
  }));
  const get = async (path: string): Promise<Answer> => {
    asked.paths.add(path.split('?')[0] ?? '');
    asked.atOnce = Math.max(asked.atOnce, ++asked.now);
    await new Promise(setImmediate);
    asked.now--;
    return {
      ok: true,
      text: JSON.stringify(path === '/apis' ? { kind: 'APIGroupList', groups } : { items, resources: [] }),
    };
  };
  return { reader: await openReader(get, 1), asked };
}

/** Returns the paths of these lists in all namespaces. */
function pathsOf(lists: readonly ClusterListName[]): readonly string[] {
  const resources = lists.flatMap((name) => CLUSTER_LISTS[name].resources.map((one) => one));
  return resources.map(({ group, resource }) =>
    group === '' ? `/api/v1/${resource}` : `/apis/${group}/v1/${resource}`,
  );
}

test('observeForStatus reads one list at a time, and objects of the mesh only in its namespaces', async () => {
  const { reader, asked } = await wholeServer();
  const { unreachable, ...seen } = await observeForStatus(reader, INTENT);
  expect(unreachable).toBeUndefined();
  expect(asked.atOnce).toBe(1);
  expect([...asked.paths].sort()).toEqual([...new Set(['/apis', ...pathsOf(STATUS_LISTS)])].sort());
  const elsewhere = Object.entries(seen).filter(([, reading]) => JSON.stringify(reading).includes('"shop"'));
  expect(elsewhere.map(([name]) => name)).toEqual(['pods', 'links', 'gateways', 'servers']);
  expect(seen.requests).toMatchObject({ items: [{ namespace: 'linkerd', certificate: 'web' }] });
});

test('observeForDoctor reads four lists at a time, in all namespaces', async () => {
  const { reader, asked } = await wholeServer();
  const { certificates, workloads } = await observeForDoctor(reader);
  expect(asked.atOnce).toBe(4);
  expect([...asked.paths]).toEqual(expect.arrayContaining([...pathsOf(DOCTOR_LISTS)]));
  expect([...asked.paths].filter((path) => path.endsWith('/applicationsets'))).toEqual([]);
  for (const list of [certificates, workloads]) expect(JSON.stringify(list)).toContain('"shop"');
});

test('observeForStatus and observeForDoctor return no lists of an unreachable cluster', async () => {
  const absent = { unreachable: 'late', pods: { is: 'absent' } };
  expect(await observeForStatus('late', INTENT)).toMatchObject(absent);
  expect(await observeForDoctor('late')).toMatchObject({ ...absent, resources: { is: 'absent' } });
});
