import { once } from 'node:events';
import type { KubeClient } from '#controller-runtime/client/kube-client';
import { createKubeClient } from '#controller-runtime/client/rest-client';
import {
  becomeLeader,
  type LeaderElectionOptions,
  type Leadership,
} from '#controller-runtime/election/leader-election';
import type { Lease } from '#controller-runtime/election/lease';
import { LEASES } from '#controller-runtime/objects/built-in-resources';
import { type Cluster, sharedCluster } from '#test/support/cluster/cluster';
import { ref } from '#test/support/cluster/objects';
import { memoryLog } from '#test/support/controller-runtime/memory-log';
import { closeConnection, connectionOf } from '#test/support/controller-runtime/test-connection';

/** A tenth of the defaults. The Lease itself has a resolution of seconds. */
const DURATIONS = { leaseMs: 2_000, renewDeadlineMs: 1_000, retryMs: 100 };

let cluster: Cluster;
let client: KubeClient;
let connection: ReturnType<typeof connectionOf>;
let namespace: string;
const stop = new AbortController();
const leaders: Leadership[] = [];

beforeAll(async () => {
  cluster = await sharedCluster();
  connection = connectionOf(cluster.kubeconfig());
  client = createKubeClient(connection, { fieldManager: 'test' });
});

afterAll(() => {
  stop.abort();
  closeConnection(connection);
});

beforeEach(async () => {
  namespace = await cluster.namespace('election');
});

afterEach(async () => {
  await Promise.all(leaders.splice(0).map((leader) => leader.release()));
});

/** Starts a candidate. `options` replace the defaults, for example the client by one that fails. */
function candidate(identity: string, options: Partial<LeaderElectionOptions> = {}, signal = stop.signal) {
  const { log, lines } = memoryLog();
  const leadership = becomeLeader(
    { client, namespace, name: 'lease', identity, log, ...DURATIONS, ...options },
    signal,
  ).then((leader) => {
    if (leader !== undefined) leaders.push(leader);
    return leader;
  });
  return { leadership, lines };
}

const leaseNow = () => cluster.get(ref('coordination.k8s.io/v1', 'Lease', 'lease', namespace));

async function leaderOf(identity: string): Promise<Leadership> {
  const leader = await candidate(identity).leadership;
  if (leader === undefined) throw new Error('It was told to stop');
  return leader;
}

test('the first candidate leads, and renews', async () => {
  await leaderOf('a');
  const { spec } = await leaseNow();
  expect(spec).toMatchObject({ holderIdentity: 'a', leaseDurationSeconds: 2, leaseTransitions: 0 });
  await cluster.eventually(async () => expect((await leaseNow()).spec.renewTime).not.toBe(spec.renewTime));
  expect((await leaseNow()).spec.acquireTime).toBe(spec.acquireTime);
});

test('of many candidates one leads at a time', async () => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  const order: Leadership[] = [];
  const all = names.map((name) => candidate(name).leadership.then((leader) => leader && order.push(leader)));
  for (const count of names.keys()) {
    await cluster.eventually(() => expect(order).toHaveLength(count + 1));
    // Long enough for a second candidate to lead, if it could.
    await new Promise((resolve) => setTimeout(resolve, 3 * DURATIONS.retryMs));
    expect(order).toHaveLength(count + 1);
    await order[count]?.release();
  }
  await Promise.all(all);
  expect((await leaseNow()).spec.leaseTransitions).toBe(names.length - 1);
});

test('a candidate takes a released lease without waiting for its expiry', async () => {
  const first = await leaderOf('a');
  const second = candidate('b', { leaseMs: 3_600_000 });
  await first.release();
  expect(await second.leadership).toBeDefined();
  expect(first.lost.aborted).toBe(false);
});

test('a candidate takes the lease of a dead leader after its duration', async () => {
  const died = { holderIdentity: 'dead', leaseDurationSeconds: 1, leaseTransitions: 6 };
  const object = {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: 'lease', namespace },
    spec: died,
  };
  await cluster.create(object);
  await leaderOf('a');
  expect((await leaseNow()).spec).toMatchObject({ holderIdentity: 'a', leaseTransitions: 7 });
});

test('a stopped candidate does not take the lease', async () => {
  await leaderOf('a');
  const own = new AbortController();
  const { leadership } = candidate('b', {}, own.signal);
  own.abort();
  expect(await leadership).toBeUndefined();
});

describe('a leader loses the lease', () => {
  test('at once if another candidate holds it', async () => {
    const leader = await leaderOf('a');
    await cluster.patch(ref('coordination.k8s.io/v1', 'Lease', 'lease', namespace), {
      spec: { holderIdentity: 'thief' },
    });
    if (!leader.lost.aborted) await once(leader.lost, 'abort');
    expect(String(leader.lost.reason)).toContain('thief holds it');
    await leader.release();
    expect((await leaseNow()).spec.holderIdentity).toBe('thief');
  });

  test('if it cannot renew for too long, even with requests that never end', async () => {
    let isHung = false;
    const hang = (signal?: AbortSignal): Promise<never> =>
      new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    const hanging: KubeClient = {
      ...client,
      get: (resource, key, options) => (isHung ? hang(options?.signal) : client.get(resource, key, options)),
      update: (resource, object, options) =>
        isHung ? hang(options?.signal) : client.update(resource, object, options),
    };
    const { leadership, lines } = candidate('a', { client: hanging });
    const leader = await leadership;
    isHung = true;
    if (leader === undefined) throw new Error('It was told to stop');
    if (!leader.lost.aborted) await once(leader.lost, 'abort');
    expect(String(leader.lost.reason)).toContain('could not be renewed for 1000 ms');
    expect(lines).toContainEqual(expect.objectContaining({ level: 'error', msg: 'lost the lease' }));
  });
});

test('a leader keeps the lease despite conflicts, its deletion and temporary failures', async () => {
  let failures = 0;
  const flaky: KubeClient = {
    ...client,
    update: (resource, object, options) => {
      failures += 1;
      return failures % 2 === 1
        ? Promise.reject(new Error('connection reset'))
        : client.update(resource, object, options);
    },
  };
  const leader = await candidate('a', { client: flaky }).leadership;
  const lease = ref('coordination.k8s.io/v1', 'Lease', 'lease', namespace);
  const renewals = async (count: number): Promise<void> => {
    const from = failures;
    await cluster.eventually(() => expect(failures).toBeGreaterThan(from + count));
  };
  await cluster.patch(lease, { metadata: { labels: { touched: 'yes' } } });
  await renewals(4);
  await cluster.delete(lease);
  await renewals(4);
  expect(leader?.lost.aborted).toBe(false);
  expect((await client.get<Lease>(LEASES, `${namespace}/lease`))?.spec?.holderIdentity).toBe('a');
});

test('a candidate does not flood an API server that refuses it a free lease', async () => {
  let requests = 0;
  const refusing: KubeClient = {
    ...client,
    update: () => {
      requests += 1;
      return Promise.reject(new Error('forbidden'));
    },
  };
  const free = { holderIdentity: '', leaseDurationSeconds: 1 };
  const metadata = { name: 'lease', namespace };
  await cluster.create({ apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec: free });
  const own = new AbortController();
  const { leadership } = candidate('a', { client: refusing }, own.signal);
  await new Promise((resolve) => setTimeout(resolve, 5 * DURATIONS.retryMs));
  own.abort();
  await leadership;
  expect(requests).toBeGreaterThan(0);
  expect(requests).toBeLessThanOrEqual(6);
});

test('a candidate that is stopped while it takes the lease releases it', async () => {
  const created = Promise.withResolvers<void>();
  const slow: KubeClient = {
    ...client,
    create: async (resource, object, options) => {
      await client.create(resource, object);
      created.resolve();
      return await new Promise((_resolve, reject) => {
        options?.signal?.addEventListener('abort', () => reject(options.signal?.reason));
      });
    },
  };
  const own = new AbortController();
  const { leadership } = candidate('a', { client: slow }, own.signal);
  await created.promise;
  own.abort();
  expect(await leadership).toBeUndefined();
  expect((await leaseNow()).spec.holderIdentity).toBe('');
});
