import type { InformerOptions } from '#controller-runtime/cache/informer';
import { createInformerPool, type InformerPool } from '#controller-runtime/cache/informer-pool';
import { createKubeClient } from '#controller-runtime/client/rest-client';
import { PODS } from '#controller-runtime/objects/built-in-resources';
import type { KubeObject } from '#controller-runtime/objects/kube-object';
import { eventually } from '#test/support/cluster/eventually';
import { type FakeApiServer, startFakeApiServer, THINGS } from '#test/support/controller-runtime/fake-api-server';
import { memoryLog } from '#test/support/controller-runtime/memory-log';
import { closeConnection } from '#test/support/controller-runtime/test-connection';

let api: FakeApiServer;
let pool: InformerPool;
const end = new Set<() => Promise<void>>();

beforeEach(async () => {
  api = await startFakeApiServer();
  pool = createInformerPool({
    client: createKubeClient(api.connection, { fieldManager: 'test' }),
    log: memoryLog().log,
  });
});

afterEach(async () => {
  for (const each of end) await each();
  end.clear();
  closeConnection(api.connection);
  await api.stop();
});

function run(): void {
  const stop = new AbortController();
  const running = pool.run(stop.signal);
  end.add(() => {
    stop.abort();
    return running;
  });
}

const things: InformerOptions<KubeObject> = { resource: THINGS };
const transform = (object: KubeObject): KubeObject => object;

describe('the pool shares a cache', () => {
  test('among all callers with the same options', () => {
    expect(pool.get({ ...things, labelSelector: 'a=b', transform })).toBe(
      pool.get({ transform, resource: { ...THINGS }, labelSelector: 'a=b' }),
    );
    expect(pool.get({ ...things, namespace: undefined })).toBe(pool.get(things));
  });

  test.each<[string, InformerOptions<KubeObject>]>([
    ['resource', { resource: PODS }],
    ['version', { resource: { ...THINGS, apiVersion: 'fake.example/v2' } }],
    ['namespace', { ...things, namespace: 'ns' }],
    ['selector', { ...things, labelSelector: 'a=b' }],
    ['transformation', { ...things, transform }],
    ['index', { ...things, indexes: {} }],
  ])('but not with a caller that requests another %s', (_what, options) => {
    expect(pool.get(options)).not.toBe(pool.get(things));
  });

  test('with a single list and a single watch', async () => {
    for (let time = 0; time < 3; time++) pool.get(things);
    run();
    await eventually(() => expect(api.watches.size).toBe(1));
    expect(api.requests).toEqual(['list', 'watch 1']);
  });
});

test('a cache that is requested after the start runs at once', async () => {
  run();
  api.put('a');
  const late = pool.get(things);
  await eventually(() => expect(late.get('a')).toBeDefined());
});

describe('the list of missing caches', () => {
  test('has each required cache until it is complete', async () => {
    const required = pool.get(things);
    expect(pool.incomplete()).toEqual([required]);
    run();
    await eventually(() => expect(pool.incomplete()).toEqual([]));
  });

  test('has no optional cache, unless another caller requires it', () => {
    const cache = pool.get(things, 'optional');
    expect(pool.incomplete()).toEqual([]);
    pool.get(things);
    expect(pool.incomplete()).toEqual([cache]);
    pool.get(things, 'optional');
    expect(pool.incomplete()).toEqual([cache]);
  });
});

describe('a cache for the leader', () => {
  test('sends no request, and delays nothing, until this process leads', async () => {
    api.put('a');
    const cache = pool.get(things, 'leading');
    const other = pool.get({ ...things, labelSelector: 'a=b' });
    run();
    await eventually(() => expect(other.hasSynced()).toBe(true));
    await eventually(() => expect(api.requests).toEqual(['list', expect.stringContaining('watch')]));
    expect(pool.incomplete()).toEqual([]);
    pool.lead();
    expect(pool.incomplete()).toEqual([cache]);
    await eventually(() => expect(cache.get('a')).toBeDefined());
    expect(pool.incomplete()).toEqual([]);
    const late = pool.get({ ...things, labelSelector: 'c=d' }, 'leading');
    await eventually(() => expect(late.get('a')).toBeDefined());
  });

  test('is shared as soon as a second user requests it', async () => {
    const cache = pool.get(things, 'leading');
    run();
    expect(pool.get(things)).toBe(cache);
    expect(pool.incomplete()).toEqual([cache]);
    await eventually(() => expect(cache.hasSynced()).toBe(true));
    pool.lead();
    expect(api.requests.filter((request) => request === 'list')).toHaveLength(1);
  });
});
