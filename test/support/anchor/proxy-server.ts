import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServer } from 'node:tls';

/** The inbound port of a proxy. */
const PORT = 4143;

/** The TLS server of a proxy. */
export interface ProxyServer {
  /** Replaces the chain that the server presents. */
  present(chain: string, key: string): void;
  stop(): Promise<void>;
}

/** Terminates TLS as a proxy's inbound port does: it requests a client certificate, but does not require one. */
export async function startProxyServer(address: string, cert: string, key: string): Promise<ProxyServer> {
  const server = createServer({ cert, key, minVersion: 'TLSv1.3', requestCert: true, rejectUnauthorized: false });
  server.on('tlsClientError', () => undefined);
  server.on('secureConnection', (socket) => socket.on('error', () => undefined).end());
  for (let tries = 0; ; tries += 1) {
    try {
      server.listen(PORT, address);
      await once(server, 'listening');
      break;
    } catch (error) {
      // A new pod can get the address of a pod whose server still listens.
      if (tries > 100 || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
      await sleep(20);
    }
  }
  return {
    present: (chain, of) => server.setSecureContext({ cert: chain, key: of, minVersion: 'TLSv1.3' }),
    stop: async () => {
      server.close();
      await once(server, 'close');
    },
  };
}
