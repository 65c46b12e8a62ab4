import { Agent, request as httpsRequest } from 'node:https';
import { createInterface } from 'node:readline';
import type { Connection } from './kubeconfig';
import type { KubeObject } from './objects';

/** An open stream, whose end can be awaited or caused. */
export interface StreamEnd {
  readonly ended: Promise<void>;
  abort(): void;
}

type Listener = (type: 'ADDED' | 'MODIFIED' | 'DELETED', object: KubeObject) => void;

/** Opens watches for one identity. A watch ends when the API server ends it, at any error, or when it is aborted. */
export function watchClient({ server, ca, identity }: Connection) {
  const agent = new Agent({ keepAlive: false, ca, ...('token' in identity ? {} : identity) });
  const headers: Record<string, string> = {
    Accept: 'application/json',
    ...('token' in identity && { Authorization: `Bearer ${identity.token}` }),
  };
  return (path: string, query: Readonly<Record<string, string | undefined>>, listener: Listener): StreamEnd => {
    const url = new URL(path, server);
    for (const [key, value] of Object.entries({ ...query, watch: 'true' })) {
      if (value !== undefined) url.searchParams.set(key, value);
    }
    const request = httpsRequest(url, { agent, headers });
    const ended = new Promise<void>((resolve) => {
      request.on('error', () => resolve());
      request.on('close', () => resolve());
      request.on('response', (response) => {
        response.on('error', () => resolve());
        const lines = createInterface({ input: response });
        lines.on('line', (line) => {
          if (response.statusCode !== 200 || !deliver(line, listener)) request.destroy();
        });
        // The interface repeats errors of the response, such as that of an aborted watch.
        lines.on('error', () => resolve());
        lines.on('close', () => resolve());
      });
    });
    request.end();
    return { ended, abort: () => request.destroy() };
  };
}

/** False if the watch must end: at an error such as 410 Gone, or at an incomplete line. */
function deliver(line: string, listener: Listener): boolean {
  try {
    const { type, object } = JSON.parse(line) as { readonly type: string; readonly object: KubeObject };
    if (type !== 'ADDED' && type !== 'MODIFIED' && type !== 'DELETED') return false;
    listener(type, object);
    return true;
  } catch {
    return false;
  }
}
