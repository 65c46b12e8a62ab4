import { createConnection } from 'node:net';
import { createPlainServer, type PlainServerOptions } from '#controller-runtime/server/plain-server';
import { memoryLog } from '#test/support/controller-runtime/memory-log';

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
});

async function serve(pages: PlainServerOptions['pages']) {
  const { log, lines } = memoryLog();
  const server = createPlainServer({ port: 0, pages, log });
  const port = await server.start();
  stops.push(server.stop);
  return { server, port, lines, url: `http://127.0.0.1:${port}` };
}

const HELLO = { '/hello': () => ({ status: 200, body: 'grüezi\n' }) };

test('the server returns a page, whatever the query', async () => {
  const { url } = await serve(HELLO);
  const answer = await fetch(`${url}/hello?verbose`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(await answer.text()).toBe('grüezi\n');
});

test('the server answers HEAD for a page', async () => {
  const { url } = await serve(HELLO);
  const answer = await fetch(`${url}/hello`, { method: 'HEAD' });
  expect(answer.headers.get('content-length')).toBe('8');
  expect(await answer.text()).toBe('');
});

test.each([
  ['/', 'GET', 404],
  ['/toString', 'GET', 404],
  ['/hello/', 'GET', 404],
  ['/hello', 'POST', 405],
])('the server answers %s by %s with %i', async (path, method, status) => {
  const { url } = await serve(HELLO);
  expect((await fetch(`${url}${path}`, { method })).status).toBe(status);
});

test('the server answers 500 for a page that fails, and logs the error', async () => {
  const { url, lines } = await serve({
    '/broken': () => {
      throw new Error('secret');
    },
  });
  const answer = await fetch(`${url}/broken`);
  expect(answer.status).toBe(500);
  expect(await answer.text()).not.toContain('secret');
  expect(lines).toContainEqual(expect.objectContaining({ level: 'error', path: '/broken', error: 'secret' }));
});

test('the server fails on a port in use', async () => {
  const { port } = await serve(HELLO);
  const second = createPlainServer({ port, pages: HELLO, log: memoryLog().log });
  await expect(second.start()).rejects.toThrow('EADDRINUSE');
});

test.each([
  ['nothing', ''],
  ['half a request', 'GET /hello HTTP/1.1\r\nHo'],
])('a stopping server does not wait for a connection that received %s', async (_what, text) => {
  const { server, url, port } = await serve(HELLO);
  const silent = createConnection(port, '127.0.0.1').on('error', () => undefined);
  const closed = new Promise((resolve) => silent.on('close', resolve));
  await new Promise((resolve) => silent.write(text, resolve));
  // The server accepts connections in order, so that it has accepted the silent one now.
  await fetch(`${url}/hello`);
  await server.stop();
  await closed;
});

test('a stopping server waits for responses, but not for idle connections', async () => {
  const answer = Promise.withResolvers<void>();
  const { server, url, port } = await serve({
    '/slow': async () => {
      await answer.promise;
      return { status: 200, body: 'done\n' };
    },
  });
  const slow = fetch(`${url}/slow`);
  const idle = createConnection(port, '127.0.0.1');
  // The server may reset the connection instead of ending it.
  idle.on('error', () => undefined);
  const closed = new Promise((resolve) => idle.on('close', resolve));
  await new Promise((resolve) => idle.on('connect', resolve));
  const stopped = jest.fn();
  const stop = server.stop().then(stopped);
  await new Promise(setImmediate);
  expect(stopped).not.toHaveBeenCalled();
  answer.resolve();
  expect(await (await slow).text()).toBe('done\n');
  await Promise.all([stop, closed]);
});
