import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Connection } from '#controller-runtime/client/connection';
import { issueCertificate } from '../cluster/certificates';
import { closeConnection, connectionTo } from './test-connection';

/** A server that a test starts instead of an API server, and a connection to it. */
export interface TestServer {
  readonly connection: Connection;
  readonly server: Server;
  /** The open connections. */
  readonly sockets: ReadonlySet<Socket>;
  stop(): Promise<void>;
}

/** Starts an HTTPS server on a free port. */
export async function startHttpsServer(listener: RequestListener): Promise<TestServer> {
  const { cert, key } = issueCertificate({ commonName: 'localhost', ips: ['127.0.0.1'] });
  const server = createServer({ cert, key }, listener);
  const sockets = new Set<Socket>();
  server.on('secureConnection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const connection = connectionTo({ server: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, ca: cert });
  return {
    connection,
    server,
    sockets,
    stop: async () => {
      closeConnection(connection);
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
