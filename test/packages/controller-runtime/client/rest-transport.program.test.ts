import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Agent } from 'node:https';
import { Socket } from 'node:net';
import type { Connection } from '#controller-runtime/client/connection';
import { createTransport, type ResponseInfo, type Transport } from '#controller-runtime/client/rest-transport';
import { startHttpsServer, type TestServer } from '#test/support/controller-runtime/https-server';
import { connectionTo } from '#test/support/controller-runtime/test-connection';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const PATH = '/api/v1/things?secret=value';
const GET = { method: 'GET', path: PATH, isIdempotent: true } as const;
const POST = {
  method: 'POST',
  path: PATH,
  isIdempotent: false,
  body: { type: 'application/json', content: { ä: 1 } },
} as const;

let server: TestServer;
let transport: Transport;
let requests: string[];
let answers: Answer[];
let responses: ResponseInfo[];

beforeEach(async () => {
  requests = [];
  answers = [];
  responses = [];
  server = await startHttpsServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    const answer = answers.shift() ?? ok;
    answer(request, response);
  });
  transport = transportTo(server.connection);
});

afterEach(() => server.stop());

const transportTo = (connection: Connection): Transport =>
  createTransport(connection, { userAgent: 'tester', onResponse: (info) => responses.push(info) });
const ok: Answer = (_request, response) => response.end('{"ok":true}');
const refuse =
  (status: number, headers: Record<string, string> = {}, body = ''): Answer =>
  (_request, response) =>
    response.writeHead(status, headers).end(body);
const cut: Answer = (request) => request.socket.destroy();
const cutInBody: Answer = (request, response) => {
  response.writeHead(200, { 'content-length': '100' }).write('{"ok"', () => request.socket.destroy());
};
const silence: Answer = () => undefined;

test('the transport sends the given request with its user agent', async () => {
  let seen: unknown;
  answers.push((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      seen = { ...request.headers, body: Buffer.concat(chunks).toString() };
      response.end('{"made":1}');
    });
  });
  expect(await transport.json(POST)).toEqual({ made: 1 });
  expect(seen).toMatchObject({
    'user-agent': 'tester',
    accept: 'application/json',
    'content-type': 'application/json',
    'content-length': '8',
    body: '{"ä":1}',
  });
});

test("the transport keeps the path of the server's address", async () => {
  const prefixed = transportTo({
    ...server.connection,
    server: new URL('/k8s/clusters/c1/', server.connection.server),
  });
  await prefixed.json(GET);
  expect(requests).toEqual([`GET /k8s/clusters/c1${PATH}`]);
});

test('the transport sends several requests over one connection', async () => {
  for (let index = 0; index < 5; index += 1) await transport.json(GET);
  expect(server.sockets.size).toBe(1);
});

test('the transport gets credentials before each request', async () => {
  const seen: unknown[] = [];
  const echo: Answer = (request, response) => {
    seen.push(request.headers.authorization);
    response.end('{}');
  };
  answers.push(echo, echo);
  let count = 0;
  const { tls } = await server.connection.credentials();
  const rotating = transportTo({
    ...server.connection,
    credentials: async () => {
      count += 1;
      return { headers: { authorization: `Bearer ${count}` }, tls };
    },
  });
  await rotating.json(GET);
  await rotating.json(GET);
  expect(seen).toEqual(['Bearer 1', 'Bearer 2']);
});

describe.each([429, 500, 503])('an answer %i with Retry-After', (status) => {
  test('makes the transport retry until the request succeeds', async () => {
    answers.push(refuse(status, { 'retry-after': '0' }), refuse(status, { 'retry-after': '0' }));
    expect(await transport.json(POST)).toEqual({ ok: true });
    expect(requests).toHaveLength(3);
    expect(responses.map(({ code }) => code)).toEqual([String(status), String(status), '200']);
  });

  test('makes the transport give up after five attempts', async () => {
    answers.push(...Array.from({ length: 9 }, () => refuse(status, { 'retry-after': '0' })));
    await expect(transport.json(GET)).rejects.toMatchObject({ status, retryAfterSeconds: 0 });
    expect(requests).toHaveLength(5);
  });
});

test('the transport waits as long as the server requests', async () => {
  answers.push(refuse(429, { 'retry-after': '1' }));
  const startedAt = performance.now();
  await transport.json(GET);
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(990);
});

test.each([
  ['500 without Retry-After', refuse(500)],
  ['429 without Retry-After, as an eviction gets it', refuse(429)],
  ['409 with Retry-After', refuse(409, { 'retry-after': '0' })],
])('the transport does not retry %s', async (_name, answer) => {
  answers.push(answer);
  await expect(transport.json(GET)).rejects.toMatchObject({ name: 'ApiError' });
  expect(requests).toHaveLength(1);
});

test("an abort ends the transport's wait for the next attempt", async () => {
  answers.push(refuse(429, { 'retry-after': '30' }));
  const controller = new AbortController();
  const answer = transport.json({ ...GET, signal: controller.signal });
  setTimeout(() => controller.abort(new Error('enough')), 50);
  await expect(answer).rejects.toThrow('enough');
});

test.each([
  ['closed before the answer', cut],
  ['closed within the answer', cutInBody],
])('the transport retries once, on another connection, a read whose connection is %s', async (_name, answer) => {
  const ports: unknown[] = [];
  server.server.on('request', (request) => ports.push(request.socket.remotePort));
  answers.push(ok, answer);
  await transport.json(GET);
  expect(await transport.json(GET)).toEqual({ ok: true });
  expect(ports).toHaveLength(3);
  expect(ports[1]).toBe(ports[0]);
  expect(ports[2]).not.toBe(ports[1]);
});

test('the transport does not reuse idle connections after one breaks', async () => {
  await Promise.all([transport.json(GET), transport.json(GET), transport.json(GET)]);
  expect(server.sockets.size).toBe(3);
  const kept = [...server.sockets].map((socket) => socket.remotePort);
  let port: unknown;
  answers.push(cut, (request, response) => {
    port = request.socket.remotePort;
    response.end('{}');
  });
  await transport.json(GET);
  expect(kept).not.toContain(port);
});

test('the transport does not reuse idle connections after a request without an answer', async () => {
  await Promise.all([transport.json(GET), transport.json(GET), transport.json(GET)]);
  const kept = [...server.sockets].map((socket) => socket.remotePort);
  expect(kept).toHaveLength(3);
  answers.push(silence);
  await expect(transport.json({ ...GET, timeoutMs: 100 })).rejects.toThrow();
  const arrived = once(server.server, 'request');
  await transport.json(GET);
  const [{ socket }] = await arrived;
  expect(kept).not.toContain(socket.remotePort);
});

test('a read whose connection breaks twice fails with an error that names the request', async () => {
  answers.push(cut, cut);
  const error = await transport.json(GET).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ message: 'GET /api/v1/things failed', cause: { code: 'ECONNRESET' } });
  expect(requests).toHaveLength(2);
  expect(responses.map(({ code }) => code)).toEqual(['<error>', '<error>']);
});

test('the transport does not retry a request that must not happen twice', async () => {
  answers.push(cut);
  await expect(transport.json(POST)).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
  expect(requests).toHaveLength(1);
});

test('a missing server causes an error that names the request', async () => {
  const { connection, stop } = await startHttpsServer(ok);
  await stop();
  const error = await transportTo(connection)
    .json(GET)
    .catch((reason: unknown) => reason);
  expect(error).toMatchObject({ message: 'GET /api/v1/things failed', cause: { code: 'ECONNREFUSED' } });
});

test('the transport refuses a server with a certificate by another CA', async () => {
  const other = await startHttpsServer(ok);
  const { tls } = await other.connection.credentials();
  const fooled = connectionTo({ server: server.connection.server.href, ca: String(tls.ca) });
  await expect(transportTo(fooled).json(GET)).rejects.toMatchObject({ cause: { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' } });
  expect(requests).toEqual([]);
  await other.stop();
});

test.each([
  ['the answer', silence],
  ['the body', ((_request, response) => response.writeHead(200, { 'content-length': '9' }).write('{')) as Answer],
])('the transport ends a request that waits too long for %s, without a retry', async (_name, answer) => {
  answers.push(answer);
  const error = await transport.json({ ...GET, timeoutMs: 1_000 }).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ message: 'GET /api/v1/things failed', cause: { message: 'no answer within 1000 ms' } });
  expect(requests).toHaveLength(1);
});

test.each([
  ['the answer', silence],
  ['the body', ((_request, response) => response.writeHead(200, { 'content-length': '9' }).write('{')) as Answer],
])("an abort of a request that waits for %s rejects with the signal's reason", async (_name, answer) => {
  answers.push(answer);
  const controller = new AbortController();
  const pending = transport.json({ ...GET, signal: controller.signal });
  const arrived = once(server.server, 'request');
  await arrived;
  setTimeout(() => controller.abort(new Error('enough')), 20);
  await expect(pending).rejects.toThrow(new Error('enough'));
  expect(requests).toHaveLength(1);
});

test('credentials that never arrive delay neither a timeout nor an abort', async () => {
  const stuck = transportTo({ ...server.connection, credentials: () => new Promise(() => undefined) });
  await expect(stuck.json({ ...GET, timeoutMs: 100 })).rejects.toMatchObject({
    cause: { message: 'no answer within 100 ms' },
  });
  const controller = new AbortController();
  const pending = stuck.json({ ...GET, signal: controller.signal });
  controller.abort(new Error('enough'));
  await expect(pending).rejects.toThrow(new Error('enough'));
});

test('a request without a free connection times out, and the next request gets the first free one', async () => {
  const requestAgent = new Agent({ keepAlive: true, maxSockets: 1 });
  const narrow = transportTo({ ...server.connection, requestAgent });
  let answerFirst = (): void => undefined;
  answers.push((request, response) => {
    answerFirst = () => ok(request, response);
  });
  const arrived = once(server.server, 'request');
  const first = narrow.json(GET);
  await arrived;
  await expect(narrow.json({ ...GET, timeoutMs: 100 })).rejects.toMatchObject({
    cause: { message: 'no answer within 100 ms' },
  });
  answerFirst();
  expect(await Promise.all([first, narrow.json(GET)])).toEqual([{ ok: true }, { ok: true }]);
  expect(requests).toHaveLength(2);
  requestAgent.destroy();
});

test('the transport sends nothing with an aborted signal', async () => {
  await expect(transport.json({ ...GET, signal: AbortSignal.abort(new Error('too late')) })).rejects.toThrow(
    'too late',
  );
  expect(requests).toEqual([]);
});

test('a long-lived signal holds no reference to completed requests', async () => {
  const { signal } = new AbortController();
  const added = jest.spyOn(signal, 'addEventListener');
  const removed = jest.spyOn(signal, 'removeEventListener');
  answers.push(ok, refuse(403), cut);
  for (let index = 0; index < 4; index += 1) await transport.json({ ...GET, signal }).catch(() => undefined);
  expect(added.mock.calls.length).toBeGreaterThanOrEqual(4);
  expect(removed).toHaveBeenCalledTimes(added.mock.calls.length);
});

test('the transport enables TCP keep-alive for idle connections', async () => {
  const keepAlive = jest.spyOn(Socket.prototype, 'setKeepAlive');
  const controller = new AbortController();
  await transport.stream({ path: PATH, accept: 'application/json', signal: controller.signal });
  expect(keepAlive).toHaveBeenCalledWith(true, 30_000);
  controller.abort();
  keepAlive.mockRestore();
});

test('an answer that is not JSON causes an error that names the request', async () => {
  answers.push((_request, response) => response.end('<html>'));
  await expect(transport.json(GET)).rejects.toMatchObject({
    message: 'GET /api/v1/things failed',
    cause: { name: 'SyntaxError' },
  });
});

test.each([200, 500])('the transport ends a request whose answer with status %d is too long', async (status) => {
  const endless: Answer = (_request, response) => {
    response.writeHead(status);
    const more = (): void => {
      while (!response.destroyed && response.write('x'.repeat(10_000)));
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  };
  answers.push(endless, endless);
  const bounded = createTransport(server.connection, { userAgent: 'tester', maxBytes: 100_000 });
  await expect(bounded.json(GET)).rejects.toMatchObject({
    cause: expect.objectContaining({ message: 'the answer has more than 100000 bytes' }),
  });
});
