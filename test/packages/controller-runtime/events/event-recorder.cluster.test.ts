import type { KubeClient } from '#controller-runtime/client/kube-client';
import { createKubeClient } from '#controller-runtime/client/rest-client';
import type { EventNote } from '#controller-runtime/events/event';
import { createEventRecorder, type EventRecorderOptions } from '#controller-runtime/events/event-recorder';
import { CONFIG_MAPS } from '#controller-runtime/objects/built-in-resources';
import type { KubeObject } from '#controller-runtime/objects/kube-object';
import { type Cluster, sharedCluster } from '#test/support/cluster/cluster';
import { ref } from '#test/support/cluster/objects';
import { apiError } from '#test/support/controller-runtime/api-error';
import { memoryLog } from '#test/support/controller-runtime/memory-log';
import { startTcpProxy } from '#test/support/controller-runtime/tcp-proxy';
import { closeConnection, connectionOf } from '#test/support/controller-runtime/test-connection';

let cluster: Cluster;
let client: KubeClient;
let connection: ReturnType<typeof connectionOf>;
let regarding: KubeObject;

beforeAll(async () => {
  cluster = await sharedCluster();
  connection = connectionOf(cluster.kubeconfig());
  client = createKubeClient(connection, { fieldManager: 'test' });
});

afterAll(() => closeConnection(connection));

beforeEach(async () => {
  const namespace = await cluster.namespace('events');
  regarding = await client.create(CONFIG_MAPS, { metadata: { namespace, name: 'config' } });
});

function recorder(options: Partial<EventRecorderOptions> = {}) {
  const { log, lines } = memoryLog();
  return {
    ...createEventRecorder({ client, log, reporter: { component: 'operator', instance: 'pod' }, ...options }),
    lines,
  };
}

const note = (text = 'somebody changed it'): EventNote => ({
  regarding,
  type: 'Warning',
  reason: 'DriftReverted',
  note: text,
});

/** Returns the Events that `kubectl describe` requests. */
async function eventsOf({ kind, metadata }: KubeObject) {
  const fields = { kind, name: metadata.name, namespace: metadata.namespace ?? '', uid: metadata.uid };
  const fieldSelector = Object.entries(fields)
    .map(([field, value]) => `involvedObject.${field}=${value}`)
    .join(',');
  return await cluster.list('v1', 'Event', { namespace: metadata.namespace ?? 'default', fieldSelector });
}

test('the recorder writes an Event into the namespace of its object', async () => {
  const { record, flush } = recorder();
  record(note());
  await flush();
  expect(await eventsOf(regarding)).toEqual([
    expect.objectContaining({
      type: 'Warning',
      reason: 'DriftReverted',
      message: 'somebody changed it',
      count: 1,
      source: { component: 'operator' },
    }),
  ]);
});

test('the recorder writes an Event of a cluster-scoped object into the namespace default', async () => {
  const namespace = regarding.metadata.namespace ?? '';
  const object = await cluster.get(ref('v1', 'Namespace', namespace));
  const { record, flush } = recorder();
  record({ ...note(), regarding: object as KubeObject });
  await flush();
  expect(await eventsOf(object as KubeObject)).toHaveLength(1);
});

test('the recorder counts a repeated Event in few requests', async () => {
  let requests = 0;
  const counting: KubeClient = {
    ...client,
    create: (...args) => {
      requests += 1;
      return client.create(...args);
    },
    patch: (...args) => {
      requests += 1;
      return client.patch(...args);
    },
  };
  const { record, flush } = recorder({ client: counting });
  for (let time = 0; time < 10; time++) record(note());
  await flush();
  record(note('something else'));
  for (let time = 0; time < 10; time++) record(note());
  await flush();
  const events = await eventsOf(regarding);
  expect(events.map(({ message, count }) => [message, count]).sort()).toEqual([
    ['somebody changed it', 20],
    ['something else', 1],
  ]);
  expect(requests).toBe(3);
});

test('another process continues the count of an Event', async () => {
  for (let process = 0; process < 3; process++) {
    const { record, flush } = recorder();
    record(note());
    record(note());
    await flush();
  }
  expect(await eventsOf(regarding)).toEqual([expect.objectContaining({ count: 6 })]);
});

test('the recorder recreates an Event that the API server deleted', async () => {
  const { record, flush } = recorder();
  record(note());
  await flush();
  const [event] = await eventsOf(regarding);
  if (event !== undefined) await cluster.delete(event);
  record(note());
  await flush();
  expect(await eventsOf(regarding)).toEqual([expect.objectContaining({ count: 1 })]);
});

test('the recorder does not flood the API server for an object with ever changing messages', async () => {
  const { record, flush } = recorder({ perObject: { perSecond: 0.001, burst: 5 } });
  for (let time = 0; time < 100; time++) record(note(`${time} things`));
  await flush();
  expect(await eventsOf(regarding)).toHaveLength(5);
  // Events of other objects are written.
  const other = await client.create(CONFIG_MAPS, {
    metadata: { ...note().regarding.metadata, name: 'other', uid: undefined, resourceVersion: undefined },
  });
  record({ ...note(), regarding: other });
  await flush();
  expect(await eventsOf(other)).toHaveLength(1);
});

test('the recorder writes Events after an outage of the API server, with correct counts', async () => {
  const proxy = await startTcpProxy(cluster.server);
  const throughProxy = connectionOf(cluster.kubeconfig(), proxy.url);
  const { record, lines } = recorder({ client: createKubeClient(throughProxy, { fieldManager: 'test' }) });
  proxy.refuse(true);
  record(note());
  record(note('something else'));
  await cluster.eventually(async () => expect(lines).toHaveLength(2));
  record(note());
  proxy.refuse(false);
  await cluster.eventually(async () => {
    const events = await eventsOf(regarding);
    expect(events.map(({ message, count }) => [message, count]).sort()).toEqual([
      ['somebody changed it', 2],
      ['something else', 1],
    ]);
  });
  expect(lines.map(({ level }) => level)).not.toContain('warn');
  closeConnection(throughProxy);
  await proxy.stop();
});

test('the recorder logs and drops a refused Event, and writes the next one', async () => {
  const nowhere = { ...regarding, metadata: { ...regarding.metadata, namespace: 'no-such-namespace' } };
  const { record, flush, lines } = recorder();
  record({ ...note(), regarding: nowhere });
  record(note());
  await flush();
  expect(lines).toContainEqual(
    expect.objectContaining({ level: 'warn', key: 'no-such-namespace/config', reason: 'DriftReverted' }),
  );
  expect(await eventsOf(regarding)).toHaveLength(1);
});

test('callers do not wait for an API server that does not answer, and the queue of Events is bounded', async () => {
  const silent = Promise.withResolvers<never>();
  let requests = 0;
  const hanging: KubeClient = {
    ...client,
    create: () => {
      requests += 1;
      return silent.promise;
    },
  };
  const { record, flush } = recorder({ client: hanging, perObject: { perSecond: 1, burst: 5_000 } });
  for (let time = 0; time < 3_000; time++) record(note(`${time} things`));
  silent.reject(apiError(403, { reason: 'Forbidden', message: 'no' }));
  await flush();
  expect(requests).toBe(1_000);
});

test('the recorder stops without waiting for an API server that does not answer', async () => {
  const hanging: KubeClient = { ...client, create: () => new Promise(() => undefined) };
  const { record, flush } = recorder({ client: hanging });
  record(note());
  jest.useFakeTimers();
  try {
    const flushed = flush();
    await jest.advanceTimersByTimeAsync(3_000);
    await flushed;
  } finally {
    jest.useRealTimers();
  }
});
