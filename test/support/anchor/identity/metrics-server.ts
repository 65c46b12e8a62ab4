import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** A listening server. */
export interface MetricsServer {
  stop(): Promise<void>;
}

/** The port of identity's metrics, `admin-http`. */
const PORT = 9990;

/**
 * Serves metrics at /metrics of a pod's address, if it is a loopback address (127.0.0.0/8). A process of a test cannot
 * listen on another address: then it serves nothing.
 */
export async function serveMetrics(address: string, metrics: () => string, port = PORT): Promise<MetricsServer> {
  if (!address.startsWith('127.')) return { stop: async () => undefined };
  const server = createServer((request, response) => {
    const isKnown = ['/metrics', '/ready', '/ping'].includes(request.url ?? '');
    response.statusCode = isKnown ? 200 : 404;
    response.setHeader('Content-Type', 'text/plain; version=0.0.4; charset=utf-8');
    response.end(request.url === '/metrics' ? metrics() : 'ok\n');
  });
  for (let tries = 0; ; tries += 1) {
    try {
      server.listen(port, address);
      await once(server, 'listening');
      break;
    } catch (error) {
      // A new pod can get the address of a pod whose server still listens.
      if (tries > 1_500 || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
      await sleep(20);
    }
  }
  return {
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
