import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createInformer } from '#controller-runtime/cache/informer';
import { createKubeClient } from '#controller-runtime/client/rest-client';
import { createLogger } from '#controller-runtime/telemetry/logger';
import { eventually } from '#test/support/cluster/eventually';
import {
  type FakeApiServer,
  refusal,
  startFakeApiServer,
  THINGS,
  type Thing,
} from '#test/support/controller-runtime/fake-api-server';
import { type RunningInformer, runInformer } from '#test/support/controller-runtime/running-informer';

const EVENTS = 1_000_000;
const THINGS_COUNT = 300;
/** A leak of a few bytes per event would exceed this limit many times over. */
const MAX_GROWTH_BYTES = 10 * 2 ** 20;
const BATCH = 5_000;

let api: FakeApiServer;
let running: RunningInformer | undefined;

beforeAll(async () => {
  api = await startFakeApiServer();
});
afterAll(async () => {
  await running?.stop();
  await api.stop();
});

function heapAfterCollection(): number {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  collect();
  return process.memoryUsage().heapUsed;
}

/** Interrupts the informer in alternating ways. */
function disturb(round: number): void {
  if (round % 40 === 10) api.endWatches();
  if (round % 40 === 20) api.cutWatches();
  if (round % 40 === 30) {
    api.nextWatches.push(refusal(410, 'Expired'));
    api.cutWatches();
  }
}

test('a million events for a few hundred objects leave a correct cache and no larger heap', async () => {
  const client = createKubeClient(api.connection, { fieldManager: 'tester' });
  const log = createLogger({ write: () => undefined });
  const timing = {
    backoff: { baseMs: 1, maxMs: 20 },
    inactivityTimeoutMs: 60_000,
    settledMs: 60_000,
    watchSeconds: () => 300,
  };
  const indexes = { value: ({ value }: Thing) => [`v${value}`] };
  const informer = createInformer<Thing>({ client, log, timing }, { resource: THINGS, indexes });
  let changes = 0;
  const outOfOrder: string[] = [];
  const alive = new Set<string>();
  informer.onChange(({ type, object: { metadata } }) => {
    changes += 1;
    // Reports an object that is changed before it is added, or added twice.
    if (alive.has(metadata.name) !== (type !== 'added')) outOfOrder.push(`${type} ${metadata.name}`);
    if (type === 'deleted') alive.delete(metadata.name);
    else alive.add(metadata.name);
  });
  running = runInformer(informer);

  const caughtUp = () =>
    eventually(
      () => {
        for (const [name, thing] of api.things) {
          if (informer.get(name)?.metadata.resourceVersion !== thing.metadata.resourceVersion) throw new Error(name);
        }
        expect(informer.list()).toHaveLength(api.things.size);
      },
      { intervalMs: 1 },
    );
  // All values differ: an index that keeps old values would grow.
  let values = 0;
  const emit = async (events: number): Promise<void> => {
    for (let sent = 0; sent < events; sent += BATCH) {
      await eventually(() => expect(api.watches.size).toBe(1), { intervalMs: 1 });
      for (let index = 0; index < BATCH; index += 1) {
        const name = `thing-${(sent + index * 7) % THINGS_COUNT}`;
        if (index % 500 === 499 && api.things.has(name)) api.remove(name);
        else api.put(name, values);
        values += 1;
      }
      disturb(sent / BATCH);
      await caughtUp();
      // All watches have received these events.
      if (api.watches.size === 1) api.compact();
    }
  };

  await emit(EVENTS / 10);
  const before = heapAfterCollection();
  await emit((EVENTS * 9) / 10);
  const growth = heapAfterCollection() - before;

  expect(new Map(informer.list().map((thing) => [thing.metadata.name, thing]))).toEqual(new Map(api.things));
  expect(alive).toEqual(new Set(api.things.keys()));
  expect(outOfOrder).toEqual([]);
  // Some events are lost and replaced by lists.
  expect(changes).toBeGreaterThan(EVENTS * 0.8);
  expect(growth).toBeLessThan(MAX_GROWTH_BYTES);
});
