import type { Server, Socket } from 'node:net';

/** Connections of one address by its port, the quietest first. */
type Connections = Map<number, Socket>;

/** The limit of a server's connections, which learns of requests. */
export interface ConnectionLimit {
  /** A request came over this connection: others are closed before it. */
  touch(connection: Pick<Socket, 'remoteAddress' | 'remotePort'>): void;
}

/**
 * Lets a server have so many connections. One more is taken, and another closed for it: of the address that has most,
 * the one that was quiet for longest. So nobody locks out others, however many he opens; where all come from one
 * address, behind a proxy, the quiet ones go.
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
      // Now, and not when it is closed: that takes a moment, in which many come.
      remove(address, port);
      socket.destroy();
      return;
    }
  };
  server.on('connection', (socket) => {
    // Of one that is gone already nobody knows whose it was.
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
