import { connect, createServer, type Socket } from 'node:net';

/** Stands between a client and a server, and gets in the way. */
export interface TcpProxy {
  /** Such as `https://127.0.0.1:4711`. */
  readonly url: string;
  /** Passes nothing on, and lets nobody know: what is open stays open, and who connects gets no answer. */
  silence(): void;
  /** Ends all connections, and each new one as soon as it is there. */
  cut(): void;
  /** Lets new connections through. */
  heal(): void;
  close(): Promise<void>;
}

/** @param server URL of the server */
export async function startTcpProxy(server: string): Promise<TcpProxy> {
  const { hostname, port: serverPort } = new URL(server);
  const sockets = new Set<Socket>();
  let state: 'through' | 'silent' | 'cut' = 'through';
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    // An end of one side is an end of both; why does not matter.
    return socket.on('error', () => socket.destroy()).on('close', () => void sockets.delete(socket));
  };
  const end = (): void => {
    for (const socket of sockets) socket.destroy();
  };

  const proxy = createServer((client) => {
    keep(client);
    if (state === 'cut') client.destroy();
    if (state !== 'through') return;
    const upstream = keep(connect(Number(serverPort), hostname));
    client.pipe(upstream).pipe(client);
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  const port = await new Promise<number>((resolve, reject) => {
    proxy.once('error', reject).listen(0, '127.0.0.1', () => {
      const address = proxy.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
  return {
    url: `https://127.0.0.1:${port}`,
    silence: () => {
      state = 'silent';
      for (const socket of sockets) socket.unpipe().pause();
    },
    cut: () => {
      state = 'cut';
      end();
    },
    heal: () => {
      // What connected while there was silence never reaches the server.
      end();
      state = 'through';
    },
    close: () => {
      end();
      return new Promise((resolve) => proxy.close(() => resolve()));
    },
  };
}
