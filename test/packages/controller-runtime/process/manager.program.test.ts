import { createKubeClient } from '#controller-runtime/client/rest-client';
import type { Leadership } from '#controller-runtime/election/leader-election';
import type { EventRecorder } from '#controller-runtime/events/event-recorder';
import { createManager, type ManagerOptions, type RunnableManager } from '#controller-runtime/process/manager';
import { createMetrics } from '#controller-runtime/telemetry/metrics';
import { eventually } from '#test/support/cluster/eventually';
import { type FakeApiServer, startFakeApiServer, THINGS } from '#test/support/controller-runtime/fake-api-server';
import { memoryLog } from '#test/support/controller-runtime/memory-log';
import { closeConnection } from '#test/support/controller-runtime/test-connection';

let api: FakeApiServer;
let steps: string[];
let stop: AbortController;
const runs: Promise<unknown>[] = [];
const elections: { giveUp(): void }[] = [];

beforeEach(async () => {
  api = await startFakeApiServer();
  steps = [];
  stop = new AbortController();
});

afterEach(async () => {
  stop.abort();
  for (const { giveUp } of elections.splice(0)) giveUp();
  await Promise.allSettled(runs.splice(0));
  closeConnection(api.connection);
  await api.stop();
});

/** A manager that records the steps around it. */
function managerOf(options: Partial<ManagerOptions> = {}): RunnableManager {
  const events: EventRecorder = { record: () => undefined, flush: async () => void steps.push('events flushed') };
  const client = createKubeClient(api.connection, { fieldManager: 'test' });
  return createManager({ client, events, log: memoryLog().log, metrics: createMetrics(), ...options });
}

function run(manager: RunnableManager): ReturnType<RunnableManager['run']> {
  const running = manager.run(stop.signal);
  runs.push(running);
  return running;
}

/** A leader election that the test controls. */
function election() {
  const won = Promise.withResolvers<Leadership | undefined>();
  const lost = new AbortController();
  const release = async (): Promise<void> => void steps.push('lease released');
  const giveUp = (): void => won.resolve(undefined);
  elections.push({ giveUp });
  return { lead: () => won.promise, win: () => won.resolve({ lost: lost.signal, release }), giveUp, lost };
}

const telling = async (key: string): Promise<undefined> => void steps.push(`reconciled ${key}`);

test('the manager lists missing servers and required caches, whether it leads or not', async () => {
  const listening = Promise.withResolvers<number>();
  const manager = managerOf({ lead: election().lead });
  const cache = manager.informer({ resource: THINGS });
  manager.informer({ resource: { ...THINGS, plural: 'others' } }, 'optional');
  manager.serve('webhook', { start: () => listening.promise, stop: async () => undefined });
  expect(manager.missing()).toEqual(['starting', 'server webhook', 'cache of things']);
  stop.signal.addEventListener('abort', () => listening.resolve(0));
  void run(manager);
  await eventually(() => expect(cache.hasSynced()).toBe(true));
  expect(manager.missing()).toEqual(['starting', 'server webhook']);
  listening.resolve(1);
  await eventually(() => expect(manager.missing()).toEqual([]));
});

test('a replica that does not lead keeps its caches, and reconciles nothing until it leads', async () => {
  const { lead, win } = election();
  const manager = managerOf({ lead });
  const cache = manager.informer({ resource: THINGS });
  manager.controller({ name: 'things', reconcile: telling }).watch(cache);
  api.put('a');
  void run(manager);
  await eventually(() => expect(cache.get('a')).toBeDefined());
  api.put('b');
  await eventually(() => expect(cache.get('b')).toBeDefined());
  expect(steps).toEqual([]);
  win();
  await eventually(() => expect(steps.toSorted()).toEqual(['reconciled a', 'reconciled b']));
});

test('a manager without an election always leads', async () => {
  const manager = managerOf();
  manager.controller({ name: 'things', reconcile: telling }).watch(manager.informer({ resource: THINGS }));
  api.put('a');
  void run(manager);
  await eventually(() => expect(steps).toEqual(['reconciled a']));
});

test('a stopping manager completes its work, writes Events, and releases the lease, in this order', async () => {
  const { lead, win } = election();
  const work = Promise.withResolvers<undefined>();
  const manager = managerOf({ lead });
  const controller = manager.controller({
    name: 'things',
    reconcile: async () => {
      steps.push('begun');
      await work.promise;
      steps.push('done');
      return undefined;
    },
  });
  manager.serve('webhook', { start: async () => 1, stop: async () => void steps.push('server stopped') });
  controller.enqueue('a');
  const end = run(manager);
  win();
  await eventually(() => expect(steps).toEqual(['begun']));
  stop.abort();
  await eventually(() => expect(steps).toEqual(['begun', 'server stopped']));
  expect(manager.missing()).toEqual(['stopping']);
  work.resolve(undefined);
  expect(await end).toBe('stopped');
  expect(steps).toEqual(['begun', 'server stopped', 'done', 'events flushed', 'lease released']);
});

test('a stopping manager stops its caches after the servers that read them', async () => {
  const stopped = Promise.withResolvers<void>();
  const manager = managerOf();
  const cache = manager.informer({ resource: THINGS });
  manager.serve('webhook', { start: async () => 1, stop: () => stopped.promise });
  const end = run(manager);
  await eventually(() => expect(cache.hasSynced()).toBe(true));
  stop.abort();
  api.put('late');
  await eventually(() => expect(cache.get('late')).toBeDefined());
  stopped.resolve();
  await end;
  await eventually(() => expect(api.watches.size).toBe(0));
});

test('a process that loses the lease waits for nothing and releases nothing', async () => {
  const { lead, win, lost } = election();
  const manager = managerOf({ lead });
  let signal: AbortSignal | undefined;
  const controller = manager.controller({
    name: 'things',
    reconcile: (_key, aborting) => {
      signal = aborting;
      return new Promise(() => undefined);
    },
  });
  controller.enqueue('a');
  const end = run(manager);
  win();
  await eventually(() => expect(signal).toBeDefined());
  lost.abort();
  expect(await end).toBe('lost');
  expect(signal?.aborted).toBe(true);
  expect(steps).toEqual([]);
});

test('a process that stops before it leads releases no lease', async () => {
  const { lead, giveUp } = election();
  const end = run(managerOf({ lead }));
  stop.abort();
  giveUp();
  expect(await end).toBe('stopped');
  expect(steps).toEqual([]);
});

test('a process that is stopped as it becomes the leader releases the lease', async () => {
  const { lead, win } = election();
  const end = run(managerOf({ lead }));
  stop.abort();
  win();
  expect(await end).toBe('stopped');
  expect(steps).toEqual(['events flushed', 'lease released']);
});

test('a server that cannot listen stops the manager', async () => {
  const manager = managerOf();
  manager.serve('webhook', { start: () => Promise.reject(new Error('no certificate')), stop: async () => undefined });
  await expect(run(manager)).rejects.toThrow('no certificate');
});
