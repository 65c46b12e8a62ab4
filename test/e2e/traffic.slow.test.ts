import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Counts, failures, parseSample, successes } from './traffic';

describe('the traffic client of an end-to-end run', () => {
  const started: ChildProcess[] = [];

  afterEach(() => {
    for (const child of started.splice(0)) child.kill('SIGKILL');
  });

  function start(script: string, env: Readonly<Record<string, string>>): ChildProcess {
    const path = join(__dirname, script);
    const child = spawn(process.execPath, [path], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    started.push(child);
    return child;
  }

  async function freePort(): Promise<number> {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as { port: number };
    await new Promise((resolve) => server.close(resolve));
    return port;
  }

  /** Returns the first counts of a client that satisfy a condition. */
  async function countsOf(client: ChildProcess, isEnough: (counts: Counts) => boolean): Promise<Counts> {
    for await (const line of createInterface({ input: client.stdout as NodeJS.ReadableStream })) {
      const counts = parseSample(line)?.counts;
      if (counts !== undefined && isEnough(counts)) return counts;
    }
    throw new Error('the client ended');
  }

  async function pair(env: Readonly<Record<string, string>> = {}) {
    const ports = { HTTP_PORT: `${await freePort()}`, TCP_PORT: `${await freePort()}` };
    const server = start('traffic-server.cjs', ports);
    return { server, client: start('traffic-client.cjs', { ...ports, SERVER: '127.0.0.1', RATE: '50', ...env }) };
  }

  test('counts each kind of request', async () => {
    const { client } = await pair({ MESHED: 'false' });
    const counts = await countsOf(client, (all) => Object.values(all).every(({ ok }) => ok > 20));
    expect(Object.keys(counts)).toEqual(['keepAlive', 'fresh', 'opaque', 'held']);
  });

  test("counts a response without the client's name as a failure", async () => {
    const { client } = await pair();
    const counts = await countsOf(
      client,
      ({ fresh, opaque }) => failures(fresh === undefined ? {} : { fresh }) > 5 && (opaque?.ok ?? 0) > 5,
    );
    expect(counts.fresh?.ok).toBe(0);
    expect(Object.keys(counts.fresh?.failed ?? {})).toContain('no identity');
  });

  test('counts failures of a missing server by their error', async () => {
    const { client } = await pair({ KINDS: 'fresh,opaque', SERVER: '127.0.0.1', HTTP_PORT: '1', TCP_PORT: '1' });
    const counts = await countsOf(client, (all) => failures(all) > 10);
    expect(successes(counts)).toBe(0);
    expect(counts.fresh?.failed).toHaveProperty('ECONNREFUSED');
  });
});
