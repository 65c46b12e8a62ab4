import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { type Agent, request as httpsRequest } from 'node:https';
import { aborted } from '../timing/wait';
import type { Connection } from './connection';

const TCP_KEEP_ALIVE_MS = 30_000;

/** A request to the API server. */
export interface HttpsRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path with the query, relative to the API server's address. */
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body?: string;
  readonly agent: Agent;
}

/**
 * Sends a request and resolves with the head of its answer. The signal aborts both, including the answer's body; use it
 * only for this request, because its listeners remain.
 */
export async function openResponse(
  connection: Connection,
  request: HttpsRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  // Neither credentials nor a request that waits for a connection of its agent react to an abort.
  const abort = aborted(signal).then(() => Promise.reject(abortError(signal)));
  return await Promise.race([send(connection, request, signal), abort]);
}

async function send(connection: Connection, request: HttpsRequest, signal: AbortSignal): Promise<IncomingMessage> {
  const { headers, tls } = await connection.credentials();
  signal.throwIfAborted();
  return await new Promise((resolve, reject) => {
    const outgoing = httpsRequest({
      ...tls,
      // Node requires an IPv6 address without the brackets of a URL.
      host: connection.server.hostname.replace(/^\[|\]$/g, ''),
      port: connection.server.port || 443,
      path: `${connection.server.pathname.replace(/\/$/, '')}${request.path}`,
      method: request.method,
      headers: { ...request.headers, ...headers },
      agent: request.agent,
    });
    signal.addEventListener('abort', () => outgoing.destroy(abortError(signal)), { once: true });
    outgoing.once('socket', (socket) => socket.setKeepAlive(true, TCP_KEEP_ALIVE_MS));
    outgoing.once('response', resolve);
    // `on`, not `once`: a connection may fail again after the answer's head. The reader of the body handles this.
    outgoing.on('error', reject);
    outgoing.end(request.body);
  });
}

function abortError({ reason }: AbortSignal): Error {
  return reason instanceof Error ? reason : new Error('aborted', { cause: reason });
}

/**
 * Reads the whole body of an answer.
 * @throws if it has more bytes
 */
export async function readText(response: IncomingMessage, maxBytes = Number.POSITIVE_INFINITY): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    bytes += chunk.length;
    // Leaving the loop ends the connection.
    if (bytes > maxBytes) throw new Error(`the answer has more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Closes the idle connections: after one of them turned out to be dead, the others are suspect. */
export function dropIdleConnections(agent: Agent): void {
  for (const sockets of Object.values(agent.freeSockets)) {
    for (const socket of sockets ?? []) socket.destroy();
  }
}
