import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy that simulates a network with failures. */
export interface TcpProxy {
  /** The address of the proxy, with the protocol of its target. */
  readonly url: string;
  /** Breaks all connections. */
  cut(): void;
  /** With `true`, breaks all connections and each new one; with `false`, lets new ones pass again. */
  refuse(refused: boolean): void;
  /** With `true`, holds all data back while connections stay open; with `false`, sends it on. */
  hold(held: boolean): void;
  stop(): Promise<void>;
}

/** Starts a proxy to a server. It relays bytes, and does not terminate TLS. */
export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const { hostname, port, protocol } = new URL(target);
  const sockets = new Set<Socket>();
  let isRefusing = false;
  let isHolding = false;

  const track = (socket: Socket): void => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    // Errors are expected: tests break connections.
    socket.on('error', () => undefined);
    if (isHolding) socket.pause();
  };
  const relay = (from: Socket, to: Socket): void => {
    from.on('data', (chunk) => to.write(chunk));
    from.once('close', () => to.destroy());
    if (isHolding) from.pause();
  };

  const server = createServer((client) => {
    track(client);
    if (isRefusing) return client.destroy();
    const upstream = connect(Number(port), hostname);
    track(upstream);
    relay(client, upstream);
    relay(upstream, client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };

  return {
    url: `${protocol}//127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    refuse: (refused) => {
      isRefusing = refused;
      if (refused) cut();
    },
    hold: (held) => {
      isHolding = held;
      for (const socket of sockets) {
        if (held) socket.pause();
        else socket.resume();
      }
    },
    stop: async () => {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
