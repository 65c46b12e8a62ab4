import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { type ConnectionLimit, limitConnections } from '#controller-runtime/server/connection-limit';

let server: Server;
let limit: ConnectionLimit;
const opened: Socket[] = [];

beforeEach(async () => {
  server = createServer();
  limit = limitConnections(server, 3);
  server.listen(0, '0.0.0.0');
  await once(server, 'listening');
});

afterEach(async () => {
  for (const socket of opened.splice(0)) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});

/** Opens a connection from this local address. @returns whether it is still open */
async function open(localAddress: string) {
  const { port } = server.address() as AddressInfo;
  const taken = once(server, 'connection');
  const socket = connect({ host: '127.0.0.1', port, localAddress }).on('error', () => undefined);
  opened.push(socket);
  socket.resume();
  const [accepted] = (await taken) as [Socket];
  const { remoteAddress, remotePort } = accepted;
  return { socket, touch: () => limit.touch({ remoteAddress, remotePort }), isOpen: () => !accepted.destroyed };
}

test('a connection over the limit closes the longest idle connection of the address with the most connections', async () => {
  const other = await open('127.0.0.2');
  const [first, second] = [await open('127.0.0.1'), await open('127.0.0.1')];
  first.touch();
  const third = await open('127.0.0.1');
  expect([other, first, second, third].map(({ isOpen }) => isOpen())).toEqual([true, true, false, true]);
  const another = await open('127.0.0.3');
  expect([other, first, third, another].map(({ isOpen }) => isOpen())).toEqual([true, false, true, true]);
});

test('a closed connection frees its place', async () => {
  const all = [await open('127.0.0.1'), await open('127.0.0.1'), await open('127.0.0.1')];
  all[0]?.socket.destroy();
  const isGone = () => new Promise<boolean>((done) => server.getConnections((_, count) => done(count === 2)));
  while (!(await isGone())) await new Promise(setImmediate);
  await open('127.0.0.1');
  expect(all.map(({ isOpen }) => isOpen())).toEqual([false, true, true]);
});
