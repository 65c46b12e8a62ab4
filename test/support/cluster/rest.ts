import { Agent, request as httpsRequest } from 'node:https';
import type { Connection } from './kubeconfig';

/** A refusal by the API server, with its message. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    request: string,
    /** The HTTP status. */
    readonly code: number,
    /** Such as `NotFound`, `AlreadyExists`, `Forbidden`, `Conflict`, `Invalid`. */
    readonly reason: string,
    message: string,
  ) {
    super(`${request}: ${code} ${message}`);
  }
}

export interface RestRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
  /** @default 'application/json' */
  readonly contentType?: string;
}

/** Sends a request, and returns the JSON of the answer, or its text if it is not JSON. */
export type Rest = (request: RestRequest) => Promise<unknown>;

/** Creates an HTTP client of an API server for one identity. It throws {@link ApiError} for a status from 300 on. */
export function restClient({ server, ca, identity }: Connection): Rest {
  const agent = new Agent({ keepAlive: true, ca, ...('token' in identity ? {} : identity) });
  const authorization: Record<string, string> =
    'token' in identity ? { Authorization: `Bearer ${identity.token}` } : {};
  return async ({ method, path, query = {}, body, contentType = 'application/json' }) => {
    const url = new URL(path, server);
    for (const [key, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(key, String(value));
    }
    const payload = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      Accept: 'application/json',
      ...authorization,
      ...(payload === undefined
        ? {}
        : { 'Content-Type': contentType, 'Content-Length': String(Buffer.byteLength(payload)) }),
    };
    const { code, text } = await send({ url, method, headers, agent, payload });
    const answer = parse(text);
    if (code >= 300) throw apiError(`${method} ${url.pathname}`, code, answer);
    return answer;
  };
}

interface Exchange {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly agent: Agent;
  readonly payload: string | undefined;
}

function send({ url, payload, ...options }: Exchange): Promise<{ readonly code: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const request = httpsRequest(url, { ...options, headers: { ...options.headers }, timeout: 30_000 }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ code: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }),
      );
    });
    request.on('timeout', () => request.destroy(new Error(`No answer from ${url.href} within 30 s.`)));
    request.on('error', (error: NodeJS.ErrnoException) => {
      // The server has closed a kept connection, as it does at a restart, before it has read the request.
      if (request.reusedSocket && error.code === 'ECONNRESET') resolve(send({ url, payload, ...options }));
      else reject(error);
    });
    request.end(payload);
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function apiError(request: string, code: number, answer: unknown): ApiError {
  const { reason, message } = (typeof answer === 'object' ? answer : {}) as { reason?: string; message?: string };
  return new ApiError(request, code, reason ?? 'Unknown', message ?? String(answer));
}
