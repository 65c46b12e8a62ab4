import type { Server } from 'node:https';
import { Server as NetServer } from 'node:net';

/** Milliseconds between looks at whether the last connection is closed. */
const LOOK_MS = 20;

/** The milliseconds that the last connections have to send their requests. */
const LAST_REQUEST_MS = 500;

/**
 * Ends a server in such a way that clients notice nothing: requests in flight are finished, and those that still come
 * in are answered; from now on with `Connection: close`, which is for the caller to say. When no connection is left, or
 * this time is over, it stops to listen. Only then connections without a request are closed: closing one might meet a
 * request on its way, which a client that posts does not repeat.
 */
export async function drain(server: Server, lingerMs: number): Promise<void> {
  await withoutConnections(server, lingerMs);
  // The server's own `close` would close connections without a request at once.
  const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
  await withoutConnections(server, LAST_REQUEST_MS);
  const sweep = setInterval(() => server.closeIdleConnections(), LOOK_MS);
  await closed;
  clearInterval(sweep);
  // Ends its timers; that it does not listen any more is no news.
  server.close(() => undefined);
}

/** Resolves when no connection is open, or after this time. */
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
