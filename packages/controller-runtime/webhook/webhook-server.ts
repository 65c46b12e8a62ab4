import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { Socket } from 'node:net';
import { Server as NetServer } from 'node:net';
import { type ConnectionLimit, limitConnections } from '../server/connection-limit';
import { listen } from '../server/listen';
import { type LimitedLog, limitedLog } from '../telemetry/limited-log';
import type { Logger } from '../telemetry/logger';
import type { Metrics } from '../telemetry/metrics';
import { type AdmissionHandler, BadAdmissionRequest, type WebhookRoute } from './admission';
import { readAdmissionReview, writeAdmissionReview } from './admission-review';
import { type BodyExpectation, createBodyReader } from './request-body';
import { readTlsPair, type TlsPair, watchTlsFiles } from './tls-files';

/** Options of {@link createWebhookServer}. */
export interface WebhookServerOptions {
  /** 0: any free port. */
  readonly port: number;
  /** Directory with `tls.crt` and `tls.key`, which are reloaded when they change. */
  readonly certDir: string;
  readonly routes: readonly WebhookRoute[];
  readonly log: Logger;
  readonly metrics: Pick<Metrics, 'admission'>;
  /** Milliseconds that connections may stay open after {@link WebhookServer.stop}. @default 3,000 */
  readonly lingerMs?: number;
  /** Maximum number of connections. @default 250 */
  readonly mostConnections?: number;
  /** PEM file of the CA for client certificates: other clients get no answer. @default - any client gets one */
  readonly clientCaFile?: string;
}

/** Answers admission reviews from the API server over HTTPS. */
export interface WebhookServer {
  /** Listens. @returns the port; rejects if the certificate cannot be read or the port is taken */
  start(): Promise<number>;
  /** Finishes the requests in flight and closes all connections. */
  stop(): Promise<void>;
}

const LINGER_MS = 3_000;

/**
 * Milliseconds for which idle connections are kept: longer than clients do (Go: 90 s), so that no client writes to one
 * that is being closed.
 */
const KEEP_ALIVE_MS = 120_000;
/** Maximum milliseconds for a request to arrive: the API server sends a review at once. */
const REQUEST_MS = 10_000;
const CHECK_TIMEOUTS_MS = 5_000;

/**
 * An API server keeps up to 25 connections to a webhook, and opens more while it is busy. Each takes some 70 KiB
 * outside the heap.
 */
const MAX_CONNECTIONS = 250;

/** Creates a server that has not started yet. */
export function createWebhookServer(options: WebhookServerOptions): WebhookServer {
  const { port, certDir, log, lingerMs = LINGER_MS, mostConnections = MAX_CONNECTIONS, clientCaFile } = options;
  let running: { readonly server: Server; readonly stopWatching: () => void } | undefined;
  let isEnding = false;
  const answer = createAnswerer(options);
  let limit: ConnectionLimit | undefined;
  const busy = new WeakSet<Socket>();
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request;
    limit?.touch(socket);
    // A client that sends the next request before the answer to this one could cause endless work. No API server does
    // that.
    if (busy.has(socket)) {
      socket.destroy();
      return;
    }
    busy.add(socket);
    answer(request).then(
      (result) => {
        busy.delete(socket);
        send(response, isEnding ? { ...result, headers: { ...result.headers, connection: 'close' } } : result);
      },
      // The connection broke while the body was read: there is no client to answer.
      () => response.destroy(),
    );
  };
  return {
    start: async () => {
      const pair = await readTlsPair(certDir, clientCaFile);
      const server = newServer(pair, onRequest);
      limit = limitConnections(server, mostConnections);
      const chosenPort = await listen(server, port, log);
      const onChange = (changed: TlsPair): void => server.setSecureContext(tlsOptions(changed));
      running = {
        server,
        stopWatching: watchTlsFiles({ directory: certDir, clientCaFile, current: pair, log, onChange }),
      };
      return chosenPort;
    },
    stop: async () => {
      isEnding = true;
      running?.stopWatching();
      if (running) await drain(running.server, lingerMs);
      running = undefined;
    },
  };
}

function tlsOptions(pair: TlsPair): TlsPair & { readonly minVersion: 'TLSv1.2' } {
  return { ...pair, minVersion: 'TLSv1.2' };
}

function newServer(pair: TlsPair, onRequest: RequestListener): Server {
  const isAsking = pair.ca !== undefined;
  return createServer(
    {
      ...tlsOptions(pair),
      requestCert: isAsking,
      rejectUnauthorized: isAsking,
      handshakeTimeout: REQUEST_MS,
      headersTimeout: REQUEST_MS,
      requestTimeout: REQUEST_MS,
      connectionsCheckingInterval: CHECK_TIMEOUTS_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
    },
    onRequest,
  );
}

interface Answer {
  readonly code: number;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function send(response: ServerResponse, { code, text, headers }: Answer): void {
  const contentType = code === 200 ? 'application/json' : 'text/plain; charset=utf-8';
  response.writeHead(code, { 'content-type': contentType, 'content-length': Buffer.byteLength(text), ...headers });
  response.end(text);
}

interface Webhook extends BodyExpectation {
  readonly handle: AdmissionHandler;
  readonly log: LimitedLog;
  readonly turns: Turns | undefined;
}

/** The function rejects only if a request does not arrive completely. */
function createAnswerer({ routes, log, metrics }: WebhookServerOptions): (request: IncomingMessage) => Promise<Answer> {
  const webhooks = new Map(
    routes.map(({ path, handle, concurrency, mostValues, mostBytes }) => {
      const turns = concurrency === undefined ? undefined : createTurns(concurrency);
      return [path, { handle, log: limitedLog(log.with({ webhook: path })), turns, mostValues, mostBytes }];
    }),
  );
  const readBody = createBodyReader();
  const review = async (request: IncomingMessage, webhook: Webhook): Promise<Answer> => {
    if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')) {
      return { code: 415, text: 'Content-Type is not application/json' };
    }
    const answer = await readBody(request, (text) => inTurn(request, webhook, text), webhook);
    if (!('refused' in answer)) return answer;
    return answer.refused === 'too large'
      ? { code: 413, text: 'the body is larger than any review' }
      : { code: 503, text: 'too many large reviews at a time' };
  };
  return async (request) => {
    const start = performance.now();
    const [path = ''] = (request.url ?? '').split('?');
    const webhook = webhooks.get(path);
    if (request.method !== 'POST') return { code: 405, text: 'send reviews by POST', headers: { allow: 'POST' } };
    if (webhook === undefined) return { code: 404, text: 'there is no webhook at this path' };
    const answer = await review(request, webhook);
    metrics.admission(path, answer.code, (performance.now() - start) / 1_000);
    return answer;
  };
}

const GAVE_UP: Answer = { code: 503, text: 'the client no longer waits for the answer' };

function inTurn({ socket }: IncomingMessage, webhook: Webhook, text: () => string): Promise<Answer> {
  if (webhook.turns === undefined) return answerReview(text(), webhook);
  return webhook.turns.take(socket.remoteAddress ?? '', async () =>
    socket.destroyed ? GAVE_UP : await answerReview(text(), webhook),
  );
}

async function answerReview(text: string, { handle, log }: Webhook): Promise<Answer> {
  let uid: string | undefined;
  try {
    const request = readAdmissionReview(text);
    uid = request.uid;
    return { code: 200, text: writeAdmissionReview(uid, await handle(request)) };
  } catch (error) {
    if (error instanceof BadAdmissionRequest) return { code: 400, text: error.message };
    log.error('webhook failed', { uid, error });
    return { code: 500, text: 'the webhook failed: see its log' };
  }
}

const LOOK_MS = 20;

const LAST_REQUEST_MS = 500;

/**
 * Stops a server without errors for clients: requests in flight are finished, and new ones are still answered, with
 * `Connection: close`, which the caller sets. When no connection is left, or this time is over, it stops listening.
 * Only then are idle connections closed: closing one might meet a request in flight, and clients do not repeat a POST.
 */
async function drain(server: Server, lingerMs: number): Promise<void> {
  await withoutConnections(server, lingerMs);
  // The server's own `close` would close idle connections at once.
  const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
  await withoutConnections(server, LAST_REQUEST_MS);
  const sweep = setInterval(() => server.closeIdleConnections(), LOOK_MS);
  await closed;
  clearInterval(sweep);
  // Ends the server's timers. The error that it no longer listens is expected.
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

/** A limit of concurrent work; the rest waits. */
interface Turns {
  /** Runs the work in its turn. Askers take turns, so that an asker with much work delays only itself. */
  take<T>(asker: string, work: () => Promise<T>): Promise<T>;
}

/** @param most maximum number of concurrent work items */
export function createTurns(most: number): Turns {
  const waiting = new Map<string, (() => void)[]>();
  let working = 0;

  const next = (): void => {
    const [first] = waiting;
    if (first === undefined) return;
    const [asker, queue] = first;
    // The asker moves to the end of the queue, if it has more work.
    waiting.delete(asker);
    const start = queue.shift();
    if (queue.length > 0) waiting.set(asker, queue);
    start?.();
  };
  const turn = (asker: string): Promise<void> =>
    new Promise((resolve) => {
      const queue = waiting.get(asker);
      if (queue === undefined) waiting.set(asker, [resolve]);
      else queue.push(resolve);
    });
  const handOver = (): void => {
    if (waiting.size > 0) next();
    else working -= 1;
  };
  return {
    take: async (asker, work) => {
      // Finished work hands over its slot directly, so that no other work comes in between.
      if (working >= most) await turn(asker);
      else working += 1;
      try {
        return await work();
      } finally {
        // Only after processing new input: many consecutive turns would delay everything else until all of them are
        // done, including the lease and fast answers.
        setImmediate(handOver);
      }
    },
  };
}
