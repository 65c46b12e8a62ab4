import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createThreadServer, type ThreadServerOptions } from '../../../../operator/src/runtime/process/thread-server';
import type { Server } from '../../../../operator/src/runtime/server/server';
import { eventually } from '../../../cluster/eventually';
import { memoryLog } from '../../../support/operator/runtime/memory-log';

/** A thread that does what its data says; it listens on a port that is one higher than the one it was given. */
const SCRIPT = `
const { parentPort, workerData } = require('node:worker_threads');
const { port, first, next = 'serve' } = workerData;
const does = port === 0 ? first : next;
if (does === 'throw') throw new Error('no certificate');
parentPort.postMessage({ kind: 'alive', missing: does === 'wait' ? ['cache of things'] : [] });
parentPort.postMessage({ kind: 'listening', port: port + 1 });
if (does === 'end') process.exit(7);
if (does === 'hang') for (;;) {}
if (does === 'eat') { const all = []; for (;;) all.push(new Array(1000).fill({}).map(() => ({ all: {} }))); }
parentPort.on('message', (message) => does === 'ignore' ? undefined : process.exit(0));
`;

let directory: string;
let servers: Server[];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'thread-server-'));
  writeFileSync(join(directory, 'thread.cjs'), SCRIPT);
  servers = [];
});

afterEach(async () => {
  for (const server of servers) await server.stop();
  rmSync(directory, { recursive: true });
});

/** @param does what the thread does first, and when it is started again */
function create(does: { first: string; next?: string }, options: Partial<ThreadServerOptions> = {}) {
  const { log, lines } = memoryLog();
  let ends = 0;
  const server = createThreadServer({
    name: 'test',
    script: join(directory, 'thread.cjs'),
    port: 0,
    dataFor: (port) => ({ port, ...does }),
    log,
    onMetrics: () => undefined,
    onEnd: () => {
      ends += 1;
    },
    backoff: { baseMs: 10, maxMs: 100 },
    ...options,
  });
  servers.push(server);
  return { server, lines, ends: () => ends };
}

test('tells its port, and what it waits for', async () => {
  const { server } = create({ first: 'wait' });
  expect(server.missing?.()).toEqual(['server test']);
  expect(await server.start()).toBe(1);
  expect(server.missing?.()).toEqual(['cache of things']);
  await server.stop();
  expect(server.missing?.()).toEqual(['server test']);
});

test('that cannot start does not', async () => {
  const { server, ends } = create({ first: 'throw' });
  await expect(server.start()).rejects.toThrow('no certificate');
  expect(ends()).toBe(0);
});

test.each([
  ['ends', 'end', 'code 7'],
  ['takes more memory than it may', 'eat', 'memory limit'],
  ['hangs', 'hang', 'no sign of life'],
])('that %s is started again, on its port', async (_name, first, reason) => {
  const limits = { maxOldGenerationSizeMb: 20, maxYoungGenerationSizeMb: 4 };
  const { server, lines, ends } = create({ first }, { limits, hangsAfterMs: first === 'hang' ? 1_000 : undefined });
  expect(await server.start()).toBe(1);
  await eventually(() =>
    expect(lines.map(({ level, msg }) => `${level} ${msg}`)).toEqual([
      'error a thread ended, and is started again',
      'info a thread is back',
    ]),
  );
  expect(lines).toMatchObject([{ thread: 'test', inMs: 10, error: expect.stringContaining(reason) }, { port: 2 }]);
  expect(server.missing?.()).toEqual([]);
  expect(ends()).toBe(1);
});

test('that fails again and again is waited for longer and longer, and is not ready', async () => {
  const { server, lines } = create({ first: 'end', next: 'throw' });
  await server.start();
  await eventually(() => expect(lines.length).toBeGreaterThan(4));
  expect(server.missing?.()).toEqual(['server test']);
  await server.stop();
  expect(lines.slice(0, 5).map(({ inMs }) => inMs)).toEqual([10, 20, 40, 80, 100]);
  const { length } = lines;
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect(lines).toHaveLength(length);
});
