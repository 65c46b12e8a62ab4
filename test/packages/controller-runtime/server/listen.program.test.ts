import { once } from 'node:events';
import { connect, createServer, type Server } from 'node:net';
import { listen } from '#controller-runtime/server/listen';
import { memoryLog } from '#test/support/controller-runtime/memory-log';

const servers: Server[] = [];
const newServer = (): Server => {
  const server = createServer((socket) => socket.end());
  servers.push(server);
  return server;
};
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

const { log, lines } = memoryLog();

test('a server fails on a port in use', async () => {
  const port = await listen(newServer(), 0, log);
  await expect(listen(newServer(), port, log)).rejects.toThrow('EADDRINUSE');
});

test('a server logs a connection that it cannot accept, and accepts the next one', async () => {
  const server = newServer();
  const port = await listen(server, 0, log);
  // Node emits this error when accept fails.
  server.emit('error', new Error('accept EMFILE'));
  expect(lines).toEqual([expect.objectContaining({ level: 'error', error: 'accept EMFILE' })]);
  const socket = connect(port, '127.0.0.1').resume();
  await once(socket, 'close');
});
