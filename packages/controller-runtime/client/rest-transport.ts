import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { attempt } from '../timing/attempt';
import { delay } from '../timing/wait';
import { ApiError } from './api-error';
import { apiErrorOfResponse } from './api-status';
import type { Connection } from './connection';
import { dropIdleConnections, type HttpsRequest, openResponse, readText } from './https-request';
import { retryDelayMs } from './retry-policy';

const REQUEST_TIMEOUT_MS = 30_000;

/** An answer of the API server, for counting. */
export interface ResponseInfo {
  readonly method: string;
  readonly host: string;
  /** The HTTP status, or `<error>` if no answer came (as in client-go). */
  readonly code: string;
  /** The answer's own date. */
  readonly date?: string;
}

/** Options of {@link createTransport}. */
export interface TransportOptions {
  readonly userAgent: string;
  /** Called after each attempt. Default: none. */
  readonly onResponse?: (info: ResponseInfo) => void;
  /** Maximum number of bytes of an answer, for untrusted servers. @default - no limit */
  readonly maxBytes?: number;
}

/** A request for JSON. */
export interface RestRequest {
  readonly method: HttpsRequest['method'];
  /** The path with the query. */
  readonly path: string;
  readonly accept?: string;
  readonly body?: { readonly type: string; readonly content: unknown };
  /** True if sending the request twice has the same effect as once: it is repeated after a connection broke. */
  readonly isIdempotent: boolean;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

interface StreamRequest {
  readonly path: string;
  readonly accept: string;
  readonly signal: AbortSignal;
}

/** Sends requests to one API server. */
export interface Transport {
  /**
   * Returns the parsed answer.
   * @throws ApiError if it is a refusal; an error that names the request if none came
   */
  json(request: RestRequest): Promise<unknown>;
  /** Returns the answer to a watch, whose body is still to be read, and which the signal aborts. Never retried. */
  stream(request: StreamRequest): Promise<IncomingMessage>;
}

/** Creates a transport to the API server at a connection. */
export function createTransport(connection: Connection, options: TransportOptions): Transport {
  const { userAgent, onResponse, maxBytes } = options;

  const open = async (request: HttpsRequest, signal: AbortSignal): Promise<IncomingMessage> => {
    const count = (code: string, date?: string): void =>
      onResponse?.({ method: request.method, host: connection.server.host, code, ...(date !== undefined && { date }) });
    try {
      const response = await openResponse(connection, request, signal);
      count(String(response.statusCode), response.headers.date);
      return response;
    } catch (error) {
      count('<error>');
      throw error;
    }
  };

  const sendOnce = async (request: RestRequest): Promise<unknown> => {
    const { signal, timeoutMs = REQUEST_TIMEOUT_MS } = request;
    return await attempt({ signal, timeoutMs }, async (limited) => {
      const response = await open(httpsRequest(request, userAgent, connection), limited);
      await throwIfRefused(describe(request), response, maxBytes);
      return JSON.parse(await readText(response, maxBytes));
    });
  };

  const send = async (request: RestRequest): Promise<unknown> => {
    try {
      return await sendOnce(request);
    } catch (error) {
      // No answer, or a partial one: the cause most likely affects the kept connections as well.
      if (!(error instanceof ApiError)) dropIdleConnections(connection.requestAgent);
      if (!request.isIdempotent || !isBrokenConnection(error) || request.signal?.aborted) throw error;
      return await sendOnce(request);
    }
  };

  return {
    json: async (request) => {
      for (let attempts = 1; ; attempts += 1) {
        try {
          return await send(request);
        } catch (error) {
          request.signal?.throwIfAborted();
          if (!(error instanceof ApiError)) throw new Error(`${describe(request)} failed`, { cause: error });
          const waitMs = retryDelayMs(error, attempts, Math.random());
          if (waitMs === undefined) throw error;
          await delay(waitMs, request.signal);
        }
      }
    },

    stream: async ({ path, accept, signal }) => {
      const headers = { accept, 'user-agent': userAgent };
      const response = await open({ method: 'GET', path, headers, agent: connection.watchAgent }, signal);
      await throwIfRefused(describe({ method: 'GET', path }), response);
      return response;
    },
  };
}

function httpsRequest(request: RestRequest, userAgent: string, connection: Connection): HttpsRequest {
  const { method, path, accept = 'application/json', body } = request;
  const headers: OutgoingHttpHeaders = { accept, 'user-agent': userAgent };
  if (body === undefined) return { method, path, headers, agent: connection.requestAgent };
  const text = JSON.stringify(body.content);
  headers['content-type'] = body.type;
  headers['content-length'] = Buffer.byteLength(text);
  return { method, path, headers, body: text, agent: connection.requestAgent };
}

async function throwIfRefused(what: string, response: IncomingMessage, maxBytes?: number): Promise<void> {
  const status = response.statusCode ?? 0;
  if (status >= 200 && status < 300) return;
  throw apiErrorOfResponse(what, { status, headers: response.headers, body: await readText(response, maxBytes) });
}

function describe({ method, path }: Pick<RestRequest, 'method' | 'path'>): string {
  return `${method} ${path.split('?')[0]}`;
}

/** Node's own errors of connections have a code: ECONNRESET, ECONNREFUSED, EPIPE, … */
function isBrokenConnection(error: unknown): boolean {
  return typeof (error as NodeJS.ErrnoException | undefined)?.code === 'string';
}
