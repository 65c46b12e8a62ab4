import type { Server } from 'node:https';
import { Server as NetServer } from 'node:net';

const LOOK_MS = 20;

const LAST_REQUEST_MS = 500;

/**
 * Stops a server without errors for clients: requests in flight are finished, and new ones are still answered, with
 * `Connection: close`, which the caller sets. When no connection is left, or this time is over, it stops listening.
 * Only then are idle connections closed: closing one might meet a request in flight, which a client that posts does not
 * repeat.
 */
export async function drain(server: Server, lingerMs: number): Promise<void> {
  await withoutConnections(server, lingerMs);
  // The server's own `close` would close idle connections at once.
  const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
  await withoutConnections(server, LAST_REQUEST_MS);
  const sweep = setInterval(() => server.closeIdleConnections(), LOOK_MS);
  await closed;
  clearInterval(sweep);
  // Ends its timers; that it no longer listens is expected.
  server.close(() => undefined);
}

async function withoutConnections(server: Server, timeoutMs: number): Promise<void> {
  const end = performance.now() + timeoutMs;
  while (performance.now() < end && (await connections(server)) > 0) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

function connections(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });
}
