import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Logger } from '../telemetry/logger';
import { limitConnections } from './connection-limit';
import { listen } from './listen';
import type { Server } from './server';

/** The answer to a GET. */
export interface Page {
  readonly status: number;
  /** @default text/plain */
  readonly contentType?: string;
  readonly body: string;
}

/** Options of {@link createPlainServer}. */
export interface PlainServerOptions {
  /** 0: any free port. */
  readonly port: number;
  /** Pages by their path. */
  readonly pages: Readonly<Record<string, () => Page | Promise<Page>>>;
  readonly log: Logger;
}

/** Maximum milliseconds for last answers: an idle connection would hold the server forever. */
const LAST_ANSWER_MS = 1_000;

/**
 * Kubelets and scrapers need few connections. Any client may reach the port, and could delay the renewal of the lease,
 * which runs on the same event loop.
 */
const MAX_CONNECTIONS = 50;

/** Creates an HTTP server of a few pages without parameters, for kubelets and scrapers. */
export function createPlainServer({ port, pages, log }: PlainServerOptions): Server {
  const answer = async (request: IncomingMessage): Promise<Page> => {
    const path = (request.url ?? '').replace(/\?.*/s, '');
    const page = Object.hasOwn(pages, path) ? pages[path] : undefined;
    if (page === undefined) return { status: 404, body: 'not found\n' };
    if (request.method !== 'GET' && request.method !== 'HEAD') return { status: 405, body: 'GET only\n' };
    try {
      return await page();
    } catch (error) {
      log.error('a page failed', { path, error });
      return { status: 500, body: 'failed\n' };
    }
  };
  let isStopping = false;
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { status, contentType = 'text/plain; charset=utf-8', body } = await answer(request);
    response.writeHead(status, {
      'content-type': contentType,
      'content-length': Buffer.byteLength(body),
      // The server would wait until a kept connection times out.
      ...(isStopping && { connection: 'close' }),
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  };
  const server = createServer({ requestTimeout: 10_000 }, (request, response) => {
    request.resume();
    void respond(request, response);
  });
  limitConnections(server, MAX_CONNECTIONS);
  return {
    start: () => listen(server, port, log),
    stop: () =>
      new Promise((resolve) => {
        isStopping = true;
        const late = setTimeout(() => server.closeAllConnections(), LAST_ANSWER_MS);
        server.close(() => {
          clearTimeout(late);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}
