import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { connect as tlsConnect } from 'node:tls';
import type { WebhookRoute } from '#controller-runtime/webhook/admission';
import { BODY_LIMIT_BYTES } from '#controller-runtime/webhook/request-body';
import { createWebhookServer, type WebhookServer } from '#controller-runtime/webhook/webhook-server';
import { issueCertificate, type KeyPair } from '#test/support/cluster/certificates';
import { eventually } from '#test/support/cluster/eventually';
import { type LogLine, memoryLog } from '#test/support/controller-runtime/memory-log';
import { podReview, WebhookClient } from '#test/support/controller-runtime/webhook-client';
import { type TlsDirectory, tlsDirectory } from './tls-directory';

const MIB = 2 ** 20;

let directory: TlsDirectory;
let server: WebhookServer;
let port: number;
let lines: readonly LogLine[];
let release: () => void;
const admissions: { readonly webhook: string; readonly code: number; readonly seconds: number }[] = [];
const clients: WebhookClient[] = [];

const ROUTES: readonly WebhookRoute[] = [
  { path: '/allow', handle: () => ({ allowed: true, warnings: ['hello'] }) },
  { path: '/refuse', handle: async () => ({ allowed: false, message: 'no' }) },
  {
    path: '/throw',
    handle: () => {
      throw new Error('thrown');
    },
  },
  { path: '/reject', handle: () => Promise.reject(new Error('rejected')) },
  { path: '/wait', handle: () => new Promise((resolve) => (release = () => resolve({ allowed: true }))) },
];

function create(options: Partial<Parameters<typeof createWebhookServer>[0]> = {}): WebhookServer {
  const memory = memoryLog();
  lines = memory.lines;
  return createWebhookServer({
    port: 0,
    certDir: directory.path,
    routes: ROUTES,
    log: memory.log,
    metrics: { admission: (webhook, code, seconds) => admissions.push({ webhook, code, seconds }) },
    ...options,
  });
}

function client(maxSockets = 1): WebhookClient {
  const made = new WebhookClient(port, { ca: directory.ca, maxSockets });
  clients.push(made);
  return made;
}

async function restart(options: Parameters<typeof create>[0]): Promise<void> {
  await server.stop();
  server = create(options);
  port = await server.start();
}

beforeEach(async () => {
  admissions.length = 0;
  directory = tlsDirectory();
  directory.swap(directory.issue('first'));
  server = create();
  port = await server.start();
});

afterEach(async () => {
  for (const made of clients.splice(0)) made.close();
  await server.stop();
  directory.remove();
});

describe('an admission review', () => {
  test('is answered with its uid', async () => {
    const { code, text, headers } = await client().send({ path: '/allow', body: podReview({ uid: 'abc' }) });
    expect({ code, type: headers['content-type'] }).toEqual({ code: 200, type: 'application/json' });
    expect(JSON.parse(text).response).toEqual({ uid: 'abc', allowed: true, warnings: ['hello'] });
    expect(admissions).toEqual([{ webhook: '/allow', code: 200, seconds: expect.any(Number) }]);
  });

  test('may have the timeout of the API server, and a charset', async () => {
    const call = { path: '/allow?timeout=3s', contentType: 'application/json; charset=utf-8', body: podReview() };
    expect((await client().send(call)).code).toBe(200);
  });

  test('is refused if its handler refuses it', async () => {
    const { code, text } = await client().send({ path: '/refuse', body: podReview() });
    expect(code).toBe(200);
    expect(JSON.parse(text).response).toMatchObject({ allowed: false, status: { message: 'no' } });
  });

  test.each([
    ['/throw', 'thrown'],
    ['/reject', 'rejected'],
  ])('whose handler fails gets no answer: %s', async (path, error) => {
    const { code, text } = await client().send({ path, body: podReview({ uid: 'abc' }) });
    expect({ code, text }).toEqual({ code: 500, text: 'the webhook failed: see its log' });
    expect(lines).toMatchObject([{ level: 'error', webhook: path, uid: 'abc', error }]);
    expect(admissions).toMatchObject([{ webhook: path, code: 500 }]);
  });

  test('shares its connection with the next one', async () => {
    const one = client();
    const calls = [{ path: '/allow', body: podReview() }, { path: '/none' }, { path: '/allow', body: 'no JSON' }];
    const ports = [];
    for (const call of [...calls, ...calls]) ports.push((await one.send(call)).connection);
    expect(new Set(ports).size).toBe(1);
  });
});

describe('a request that is not an admission review', () => {
  test.each([
    ['another path', { path: '/none', body: podReview() }, 404],
    ['another method', { path: '/allow', method: 'GET' }, 405],
    ['another method at another path', { path: '/none', method: 'PUT', body: podReview() }, 405],
    ['another type', { path: '/allow', contentType: 'text/plain', body: podReview() }, 415],
    ['a similar type', { path: '/allow', contentType: 'application/jsonp', body: podReview() }, 415],
    ['no body', { path: '/allow' }, 400],
    ['half a body', { path: '/allow', body: podReview().slice(0, 100) }, 400],
    ['v1beta1', { path: '/allow', body: podReview().replace('admission.k8s.io/v1', 'admission.k8s.io/v1beta1') }, 400],
  ])('is refused: %s', async (_case, call, code) => {
    expect(await client().send(call)).toMatchObject({ code, headers: { 'content-type': 'text/plain; charset=utf-8' } });
    expect(admissions).toMatchObject([404, 405].includes(code) ? [] : [{ webhook: '/allow', code }]);
  });

  test('gets an answer once it has the right method', async () => {
    expect((await client().send({ method: 'DELETE' })).headers.allow).toBe('POST');
  });
});

describe('a huge admission review', () => {
  const padded = (bytes: number) => podReview({ object: { metadata: {}, padding: 'x'.repeat(bytes) } });

  test("with two objects of the API server's largest size is answered", async () => {
    const body = podReview({ object: 'x'.repeat(3 * MIB), oldObject: 'x'.repeat(3 * MIB) });
    expect((await client().send({ path: '/allow', body })).code).toBe(200);
  });

  test('that is larger is refused, and the next one is answered', async () => {
    const one = client();
    expect((await one.send({ path: '/allow', body: padded(BODY_LIMIT_BYTES) })).code).toBe(413);
    expect((await one.send({ path: '/allow', body: podReview() })).code).toBe(200);
  });

  test('without a length is refused if it is larger', async () => {
    const chunk = Buffer.alloc(MIB, ' ');
    const body = Array.from({ length: 20 }, () => chunk);
    expect((await client().send({ path: '/allow', body })).code).toBe(413);
  });

  test('costs little memory even in great number', async () => {
    const body = padded(6 * MIB);
    const many = client(30);
    // On a busy machine, the time for a body may end before it is sent, and the server cuts the connection.
    const cutOff = (error: NodeJS.ErrnoException) => ({ code: error.code });
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => many.send({ path: '/allow', body }).catch(cutOff)),
    );
    expect(answers.filter(({ code }) => code === 200 || code === 503 || code === 'ECONNRESET')).toHaveLength(30);
    expect((await many.send({ path: '/allow', body })).code).toBe(200);
  });
});

test('a client that disconnects mid-request does not affect others', async () => {
  const socket = tlsConnect({ port, host: '127.0.0.1', ca: directory.ca });
  await new Promise((resolve) => socket.once('secureConnect', resolve));
  socket.write('POST /allow HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{');
  await new Promise(setImmediate);
  socket.destroy();
  expect((await client().send({ path: '/allow', body: podReview() })).code).toBe(200);
  expect(lines).toEqual([]);
});

test('the server closes the connection of a client that does not read the answer', async () => {
  await restart({ routes: [...ROUTES, { path: '/never', handle: () => new Promise(() => undefined) }] });
  const socket = tlsConnect({ port, host: '127.0.0.1', ca: directory.ca });
  await new Promise((resolve) => socket.once('secureConnect', resolve));
  const review = podReview();
  const headers = ['host: a', 'content-type: application/json', `content-length: ${review.length}`];
  const request = ['POST /never HTTP/1.1', ...headers, '', review].join('\r\n');
  socket.on('error', () => undefined).write(request + request);
  await new Promise((resolve) => socket.once('close', resolve));
  expect((await client().send({ path: '/allow', body: podReview() })).code).toBe(200);
});

test('a connection over the limit closes the longest idle one', async () => {
  await restart({ mostConnections: 2 });
  const [first, second, third] = [client(), client(), client()];
  for (const one of [first, second, third]) await one.send({ path: '/allow', body: podReview() });
  const used = (await second.send({ path: '/allow', body: podReview() })).connection;
  expect((await second.send({ path: '/allow', body: podReview() })).connection).toBe(used);
  // A client without a connection opens another one, as Go's does.
  const again = () => first.send({ path: '/allow', body: podReview() });
  expect((await again().catch(again)).code).toBe(200);
});

test('the server answers only clients with certificates by the client CA, and loads a new CA', async () => {
  const [ca, other] = ['clients', 'others'].map((commonName) => issueCertificate({ commonName, ca: true }));
  if (ca === undefined || other === undefined) throw new Error('no certificates');
  const clientCaFile = join(directory.path, 'client-ca.crt');
  writeFileSync(clientCaFile, ca.cert);
  await restart({ clientCaFile });
  const as = async (issuer?: KeyPair): Promise<number> => {
    const identity = issuer && issueCertificate({ commonName: 'kube-apiserver', issuer });
    const made = new WebhookClient(port, { ca: directory.ca, ...identity, keepAlive: false, maxCachedSessions: 0 });
    clients.push(made);
    return (await made.send({ path: '/allow', body: podReview() })).code;
  };
  expect(await as(ca)).toBe(200);
  await expect(as()).rejects.toThrow();
  await expect(as(other)).rejects.toThrow();
  writeFileSync(clientCaFile, other.cert);
  await eventually(async () => expect(await as(other)).toBe(200));
  await expect(as(ca)).rejects.toThrow();
});

test('a client without TLS does not affect others', async () => {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined).write('GET / HTTP/1.1\r\n\r\n');
  await new Promise((resolve) => socket.once('close', resolve));
  expect((await client().send({ path: '/allow', body: podReview() })).code).toBe(200);
});

describe('the certificate of the webhook server', () => {
  test('is required at the start', async () => {
    const empty = tlsDirectory();
    await expect(create({ certDir: empty.path }).start()).rejects.toThrow(/ENOENT.*tls\.(crt|key)/);
    empty.remove();
  });

  test('changes under load without a failed request', async () => {
    let isDone = false;
    const codes = new Map<number, number>();
    const failures: unknown[] = [];
    // One client that reconnects for each request, and some with persistent connections.
    const load = Array.from({ length: 4 }, async (_, index) => {
      const loader = new WebhookClient(port, { ca: directory.ca, keepAlive: index > 0, maxCachedSessions: 0 });
      clients.push(loader);
      while (!isDone) {
        try {
          const { code } = await loader.send({ path: '/allow', body: podReview() });
          codes.set(code, (codes.get(code) ?? 0) + 1);
        } catch (error) {
          failures.push(error);
        }
      }
    });
    for (let version = 1; version <= 10; version += 1) {
      const pair = directory.issue(`version-${version}`);
      if (version % 2 === 0) directory.swap(pair);
      else {
        directory.write({ cert: pair.cert });
        await new Promise(setImmediate);
        directory.write({ key: pair.key });
      }
      directory.swap(pair);
      const fresh = () => new WebhookClient(port, { ca: directory.ca, keepAlive: false, maxCachedSessions: 0 });
      await eventually(async () =>
        expect((await fresh().send({ path: '/allow', body: podReview() })).servedBy).toBe(`version-${version}`),
      );
    }
    isDone = true;
    await Promise.all(load);
    expect(failures).toEqual([]);
    expect([...codes.keys()]).toEqual([200]);
    expect(codes.get(200)).toBeGreaterThan(100);
  });
});

describe('a stopping webhook server', () => {
  test('waits for a request in progress, and accepts no more', async () => {
    const one = client();
    const waiting = one.send({ path: '/wait', body: podReview() });
    await eventually(() => expect(release).toBeDefined());
    const stopped = server.stop();
    release();
    expect((await waiting).code).toBe(200);
    await stopped;
    await expect(client().send({ path: '/allow', body: podReview() })).rejects.toThrow('ECONNREFUSED');
  });

  test('closes connections after an answer, so that a busy client sees no failure', async () => {
    await restart({ lingerMs: 300 });
    const busy = client();
    const answers: string[] = [];
    const load = (async () => {
      for (;;) {
        const { code, headers } = await busy.send({ path: '/allow', body: podReview() });
        answers.push(`${code} ${headers.connection}`);
      }
    })();
    await Promise.all([
      // New connections fail; existing ones continue.
      expect(load).rejects.toThrow(/ECONNREFUSED|ECONNRESET|disconnected/),
      eventually(() => expect(answers.length).toBeGreaterThan(20)).then(() => server.stop()),
    ]);
    expect(busy.lost).toBe(0);
    expect(new Set(answers)).toEqual(new Set(['200 keep-alive', '200 close']));
  });

  test('closes connections without a request after its grace period', async () => {
    await restart({ lingerMs: 50 });
    const idle = client();
    await idle.send({ path: '/allow', body: podReview() });
    // Resolves only when the last connection is closed.
    await server.stop();
    await expect(client().send({ path: '/allow', body: podReview() })).rejects.toThrow('ECONNREFUSED');
  });

  test('does nothing if it never started', async () => {
    await create().stop();
  });
});
