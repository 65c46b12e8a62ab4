import type { ServerResponse } from 'node:http';
import { reflect } from '#controller-runtime/cache/reflector';
import type { WatchTiming } from '#controller-runtime/cache/reflector-timing';
import { createKubeClient } from '#controller-runtime/client/rest-client';
import type { LogFields, Logger } from '#controller-runtime/telemetry/logger';
import { eventually } from '#test/support/cluster/eventually';
import {
  type FakeApiServer,
  refusal,
  startFakeApiServer,
  statusOf,
  THINGS,
  type Thing,
} from '#test/support/controller-runtime/fake-api-server';

const TIMING: WatchTiming = {
  backoff: { baseMs: 1, maxMs: 20 },
  inactivityTimeoutMs: 60_000,
  settledMs: 30_000,
  watchSeconds: () => 300,
};

let api: FakeApiServer;
let calls: string[];
let logs: string[];
let lastLog: LogFields | undefined;
let running: { stop(): Promise<void> } | undefined;

beforeEach(async () => {
  api = await startFakeApiServer();
  calls = [];
  heard.length = 0;
  logs = [];
});

afterEach(async () => {
  await running?.stop();
  running = undefined;
  await api.stop();
});

const log: Logger = {
  debug: (message) => void logs.push(`debug ${message}`),
  info: (message) => void logs.push(`info ${message}`),
  warn: (message, fields) => {
    logs.push(`warn ${message}`);
    lastLog = fields;
  },
  error: (message) => void logs.push(`error ${message}`),
  with: () => log,
};

const heard: number[] = [];

const show = ({ metadata, value }: Thing): string => `${metadata.name}=${value}`;

async function start(timing: Partial<WatchTiming> = {}, transform = (thing: Thing): Thing => thing): Promise<void> {
  const controller = new AbortController();
  const client = createKubeClient(api.connection, { fieldManager: 'tester' });
  const options = { client, log, resource: THINGS, selection: {}, transform, timing: { ...TIMING, ...timing } };
  const sink = {
    heard: (untilMs: number) => void heard.push(untilMs),
    replace: (things: readonly Thing[]) => void calls.push(`all ${things.map(show).join(' ')}`),
    put: (thing: Thing) => void calls.push(`put ${show(thing)}`),
    remove: (thing: Thing) => void calls.push(`remove ${show(thing)}`),
  };
  const run = reflect(options, sink, controller.signal);
  running = {
    stop: async () => {
      controller.abort();
      await run;
    },
  };
  await eventually(() => expect(api.watches.size).toBe(1));
}

const isTold = (expected: readonly string[]) => eventually(() => expect(calls).toEqual(expected), { intervalMs: 5 });

test('the reflector reports all objects, then each change', async () => {
  api.put('a', 1);
  await start();
  api.put('b', 2);
  api.put('a', 3);
  api.remove('b');
  await isTold(['all a=1', 'put b=2', 'put a=3', 'remove b=2']);
});

test('the reflector requests bookmarks and a timeout of the watch', async () => {
  let query: URLSearchParams | undefined;
  api.nextWatches.push((response, asked) => {
    query = asked;
    refusal(500, '')(response, asked);
  });
  await start();
  expect(Object.fromEntries(query ?? [])).toEqual({
    watch: 'true',
    allowWatchBookmarks: 'true',
    resourceVersion: '1',
    timeoutSeconds: '300',
  });
});

describe.each([
  ['ended by the server', (server: FakeApiServer) => server.endWatches()],
  ['cut', (server: FakeApiServer) => server.cutWatches()],
])('a reflector whose watch is %s', (_name, end) => {
  test('continues from its last version, rereads nothing and misses nothing', async () => {
    await start();
    api.put('a', 1);
    await isTold(['all ', 'put a=1']);
    const from = api.version();
    end(api);
    api.put('b', 2);
    await isTold(['all ', 'put a=1', 'put b=2']);
    expect(api.requests).toEqual(['list', 'watch 1', `watch ${from}`]);
  });
});

test('a list is as recent as its request, and a watch as its last event or bookmark with a later version', async () => {
  const before = performance.now();
  await start();
  expect(heard).toEqual([expect.any(Number)]);
  const [listed = 0] = heard;
  expect(listed).toBeGreaterThanOrEqual(before);
  const send = (version: string) =>
    api.send(`{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"${version}"}}}\n`);
  send('41');
  await eventually(() => expect(heard).toHaveLength(2));
  send('7');
  send('41');
  await eventually(() => expect(heard).toHaveLength(3));
  const sent = performance.now();
  api.endWatches();
  await eventually(() => expect(api.requests).toEqual(['list', 'watch 1', 'watch 41']));
  // A reopened watch has received nothing yet.
  expect(heard).toHaveLength(3);
  expect(heard.every((ms) => ms >= listed && ms <= sent)).toBe(true);
});

test.each([
  ['refused', (server: FakeApiServer) => server.cutWatches()],
  ['ended by an event', (server: FakeApiServer) => server.send(event('ERROR', statusOf(410, 'Expired')))],
])('the reflector lists again if its version is too old (410, %s)', async (_name, interrupt) => {
  api.put('a', 1);
  await start();
  // The watch misses this change: it is interrupted, and the API server has dropped the events.
  const [watch] = api.watches;
  api.compact();
  interrupt(api);
  await eventually(() => expect([...api.watches]).not.toContain(watch));
  await eventually(() => expect(api.watches.size).toBe(1));
  expect(calls).toEqual(['all a=1', 'all a=1']);
  expect(api.requests.filter((request) => request === 'list')).toHaveLength(2);
});

test('the list after lost events contains their changes', async () => {
  api.put('a', 1);
  api.put('b', 1);
  await start();
  api.nextWatches.push((response, query) => {
    api.remove('a');
    api.put('c', 1);
    api.compact();
    refusal(410, 'Expired')(response, query);
  });
  api.cutWatches();
  await isTold(['all a=1 b=1', 'all b=1 c=1']);
});

test.each([
  ['invalid JSON', '{"type":"MODIFIED","object":{"metadata"\n'],
  ['an object that is not an event', '{"kind":"Thing"}\n'],
  ['an event without a version', '{"type":"MODIFIED","object":{"metadata":{"name":"a"}}}\n'],
  ['null', 'null\n'],
  ['a failure of the server', event('ERROR', statusOf(500, 'InternalError'))],
])('the reflector lists again after a watch with %s', async (_name, line) => {
  api.put('a', 1);
  await start();
  api.send(line);
  await eventually(() => expect(api.requests).toEqual(['list', 'watch 2', 'list', 'watch 2']));
  expect(calls).toEqual(['all a=1', 'all a=1']);
});

test('the reflector continues from the previous event after a connection that ends within an event', async () => {
  await start();
  api.put('a', 1);
  await isTold(['all ', 'put a=1']);
  api.send('{"type":"MODIFIED","object":{"metadata":{"name":"a","resourceVersion":"9');
  api.endWatches();
  await eventually(() => expect(api.requests).toEqual(['list', 'watch 1', 'watch 2']));
});

test('the reflector receives whole events, wherever the network splits them', async () => {
  await start();
  const bytes = Buffer.from(event('ADDED', { metadata: { name: 'ä', resourceVersion: '2' }, value: '🐙'.repeat(3) }));
  for (const byte of bytes) {
    api.send(Buffer.from([byte]));
    await new Promise((resolve) => setImmediate(resolve));
  }
  await isTold(['all ', 'put ä=🐙🐙🐙']);
});

test('the reflector reopens a watch without events', async () => {
  await start({ inactivityTimeoutMs: 100, settledMs: 50 });
  const [first] = api.watches;
  await eventually(() => expect(api.requests.length).toBeGreaterThan(5));
  expect(first?.destroyed).toBe(true);
  expect(new Set(api.requests)).toEqual(new Set(['list', 'watch 1']));
  expect(logs.filter((line) => line.startsWith('warn'))).toEqual([]);
});

test('the reflector treats any byte as a sign of life', async () => {
  await start({ inactivityTimeoutMs: 1_000, settledMs: 50 });
  const deadline = performance.now() + 2_500;
  while (performance.now() < deadline) {
    api.send('\n');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect(api.requests).toEqual(['list', 'watch 1']);
});

test('the reflector retries a failed list with growing waits', async () => {
  api.nextLists.push(...Array.from({ length: 4 }, () => refusal(403, 'Forbidden')));
  await start();
  expect(api.requests).toEqual(['list', 'list', 'list', 'list', 'list', 'watch 1']);
});

test('after a refused watch, the reflector waits as the server requests, and continues from its version', async () => {
  api.nextWatches.push(refusal(429, 'TooManyRequests', { 'retry-after': '1' }));
  const startedAt = performance.now();
  await start();
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(990);
  expect(api.requests).toEqual(['list', 'watch 1', 'watch 1']);
});

const bookmark = (version: string): string => event('BOOKMARK', { metadata: { resourceVersion: version } });

test.each([
  ['nothing', '', 'watch 1'],
  ['a bookmark', bookmark('1'), 'watch 1'],
  ['a later bookmark', bookmark('41'), 'watch 41'],
  ['a bookmark and a 410', `${bookmark('41')}${event('ERROR', statusOf(410, 'Expired'))}`, 'list'],
  ['a known version', event('MODIFIED', { metadata: { name: 'a', resourceVersion: '1' } }), 'watch 1'],
])(
  'the reflector requests with growing waits from a server that ends each watch at once with %s',
  async (_what, lines, next) => {
    api.nextWatches.push(...Array.from({ length: 3 }, () => (response: ServerResponse) => void response.end(lines)));
    await start();
    expect(api.requests.slice(0, 3)).toEqual(['list', 'watch 1', next]);
    // The first failure in a row is not logged as a warning.
    expect(logs).toEqual(['debug watch interrupted', 'warn cannot watch', 'debug watch interrupted']);
  },
);

test('the reflector reconnects without growing waits while each broken watch delivered an event', async () => {
  const name = 'a';
  for (const version of ['2', '3', '4']) {
    const line = event('MODIFIED', { metadata: { name, resourceVersion: version } });
    api.nextWatches.push((response) => void response.write(line, () => response.socket?.destroy()));
  }
  await start();
  expect(api.requests).toEqual(['list', 'watch 1', 'watch 2', 'watch 3', 'watch 4']);
  expect(logs).toEqual(Array.from({ length: 3 }, () => 'debug watch interrupted'));
});

test('a bookmark resets the count of failures once the watch has lasted for a while', async () => {
  api.nextLists.push(refusal(403, 'Forbidden'), refusal(403, 'Forbidden'));
  await start({ settledMs: 100 });
  expect(logs.at(-1)).toBe('warn cannot watch');
  await eventually(() => {
    api.send(bookmark('1'));
    expect(logs.at(-1)).toBe('info watching again');
  });
  expect(api.requests).toEqual(['list', 'list', 'list', 'watch 1']);
});

test('the reflector logs no short interruption, one warning for a lasting one, and one line at its end', async () => {
  api.nextWatches.push(refusal(500, 'a'));
  await start();
  await eventually(() => expect(logs).toEqual(['debug watch interrupted']));
  await running?.stop();

  logs = [];
  api.nextWatches.push(refusal(500, 'a'), refusal(500, 'a'), refusal(500, 'a'), refusal(500, 'b'));
  await start();
  const warning = 'warn cannot watch';
  await eventually(() =>
    expect(logs).toEqual(['debug watch interrupted', warning, 'debug watch interrupted', warning]),
  );
  expect(lastLog).toMatchObject({ resource: 'things', failures: 4, error: { status: 500 } });
  api.put('a', 1);
  await eventually(() => expect(logs.at(-1)).toBe('info watching again'));
});

test('the reflector does not skip an event that it fails to handle', async () => {
  let fails = true;
  await start({}, (thing) => {
    if (fails && thing.value === 'bad') throw new Error('cannot');
    return thing;
  });
  api.put('a', 'bad');
  api.put('b', 'good');
  await eventually(() => expect(logs).toContain('warn cannot watch'));
  expect(calls).toEqual(['all ']);
  fails = false;
  await isTold(['all ', 'put a=bad', 'put b=good']);
});

test.each([
  ['watches', async () => start()],
  [
    'waits for the next attempt',
    async () => {
      await start({ backoff: { baseMs: 60_000, maxMs: 60_000 } });
      api.cutWatches();
      await eventually(() => expect(logs).toContain('debug watch interrupted'));
    },
  ],
])('the reflector ends at once if it is aborted while it %s', async (_name, until) => {
  await until();
  await running?.stop();
  await eventually(() => expect(api.watches.size).toBe(0));
});

function event(type: string, object: unknown): string {
  return `${JSON.stringify({ type, object })}\n`;
}
