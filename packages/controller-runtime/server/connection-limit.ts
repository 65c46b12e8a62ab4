import type { Server, Socket } from 'node:net';

/** Connections of one address by port, the least recently used first. */
type Connections = Map<number, Socket>;

/** The limit of a server's connections, which is notified of requests. */
export interface ConnectionLimit {
  /** Records a request over this connection, so that idle ones are closed before it. */
  touch(connection: Pick<Socket, 'remoteAddress' | 'remotePort'>): void;
}

/**
 * Limits the connections of a server. Beyond the limit, a new connection is accepted and another one closed: the
 * longest idle one of the address with the most connections. So no client can lock out others. If all clients share
 * the address of a proxy, idle connections are closed.
 */
export function limitConnections(server: Server, most: number): ConnectionLimit {
  const byAddress = new Map<string, Connections>();
  let count = 0;

  const remove = (address: string, port: number): void => {
    const connections = byAddress.get(address);
    if (!connections?.delete(port)) return;
    count -= 1;
    if (connections.size === 0) byAddress.delete(address);
  };
  const closeQuietest = (): void => {
    const [fullest] = [...byAddress].sort(([, a], [, b]) => b.size - a.size);
    if (fullest === undefined) return;
    const [address, connections] = fullest;
    for (const [port, socket] of connections) {
      // Before its `close` event, because many connections may arrive until then.
      remove(address, port);
      socket.destroy();
      return;
    }
  };
  server.on('connection', (socket) => {
    // The address of a closed connection is unknown.
    const { remoteAddress: address = '', remotePort: port = 0 } = socket;
    const connections: Connections = byAddress.get(address) ?? new Map();
    byAddress.set(address, connections);
    if (!connections.has(port)) count += 1;
    connections.set(port, socket);
    socket.once('close', () => {
      if (connections.get(port) === socket) remove(address, port);
    });
    if (count > most) closeQuietest();
  });
  return {
    touch: ({ remoteAddress = '', remotePort = 0 }) => {
      const connections = byAddress.get(remoteAddress);
      const socket = connections?.get(remotePort);
      if (connections === undefined || socket === undefined) return;
      connections.delete(remotePort);
      connections.set(remotePort, socket);
    },
  };
}
