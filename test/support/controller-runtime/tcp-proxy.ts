import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** The behaviour of a network towards connections. */
export interface TcpProxy {
  /** The address of what lies behind, through the proxy. */
  readonly url: string;
  /** Breaks all connections. */
  cut(): void;
  /** From now on connections are accepted and broken at once, or, again, let through. */
  refuse(refused: boolean): void;
  /** From now on nothing passes, while all connections stay open, or, again, everything that piled up does. */
  hold(held: boolean): void;
  stop(): Promise<void>;
}

/** A way to a server that a test can disturb. Knows bytes only, no TLS. */
export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const { hostname, port, protocol } = new URL(target);
  const sockets = new Set<Socket>();
  let isRefusing = false;
  let isHolding = false;

  const track = (socket: Socket): void => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    // Whatever breaks is meant to.
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
