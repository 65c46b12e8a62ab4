import type { IncomingMessage, ServerResponse } from 'node:http';
import type { KubeObject } from '#controller-runtime/objects/kube-object';
import type { Resource } from '#controller-runtime/objects/resource';
import { startHttpsServer, type TestServer } from './https-server';

/** The only kind that {@link startFakeApiServer} serves. */
export const THINGS: Resource = { apiVersion: 'fake.example/v1', kind: 'Thing', plural: 'things', namespaced: false };

export interface Thing extends KubeObject {
  readonly value?: unknown;
}

type Answer = (response: ServerResponse, query: URLSearchParams) => void;

/** An endpoint for list and watch that fails on demand, as a real API server cannot. */
export interface FakeApiServer extends TestServer {
  /** The requests so far: `list`, `watch 12`. */
  readonly requests: string[];
  /** The answers of the next requests, in order, which replace the correct ones. */
  readonly nextLists: Answer[];
  readonly nextWatches: Answer[];
  /** The objects of the server. */
  readonly things: ReadonlyMap<string, Thing>;
  /** The open watches. */
  readonly watches: ReadonlySet<ServerResponse>;
  version(): string;
  put(name: string, value?: unknown): void;
  remove(name: string): void;
  /** Deletes all events so far: watches from earlier versions get 410. */
  compact(): void;
  /** Writes these bytes to all watches. */
  send(bytes: string | Buffer): void;
  /** Ends all watches with complete responses. */
  endWatches(): void;
  /** Breaks the connections of all watches. */
  cutWatches(): void;
}

export const statusOf = (code: number, reason: string) => ({
  kind: 'Status',
  apiVersion: 'v1',
  code,
  reason,
  message: reason,
});

/** An answer that refuses the request. */
export const refusal =
  (code: number, reason: string, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(code, headers).end(JSON.stringify(statusOf(code, reason)));

export async function startFakeApiServer(): Promise<FakeApiServer> {
  const things = new Map<string, Thing>();
  const watches = new Set<ServerResponse>();
  const requests: string[] = [];
  const nextLists: Answer[] = [];
  const nextWatches: Answer[] = [];
  let events: { readonly version: number; readonly line: string }[] = [];
  let version = 1;
  let compacted = 0;

  const list: Answer = (response) => {
    const items = [...things.values()].map(({ apiVersion: _, kind: __, ...item }) => item);
    response.end(JSON.stringify({ kind: 'ThingList', metadata: { resourceVersion: String(version) }, items }));
  };
  const watch: Answer = (response, query) => {
    const from = Number(query.get('resourceVersion'));
    if (from < compacted) return refusal(410, 'Expired')(response, query);
    watches.add(response);
    response.once('close', () => watches.delete(response));
    response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
    for (const event of events) if (event.version > from) response.write(event.line);
  };
  const record = (type: string, thing: Thing): void => {
    const line = `${JSON.stringify({ type, object: thing })}\n`;
    events.push({ version, line });
    for (const response of watches) {
      // The events of one turn are sent in one piece: otherwise, benchmarks would measure TLS records.
      if (response.writableCorked === 0) {
        response.cork();
        setImmediate(() => response.uncork());
      }
      response.write(line);
    }
  };

  const server = await startHttpsServer((request: IncomingMessage, response: ServerResponse) => {
    const query = new URL(request.url ?? '', 'https://fake').searchParams;
    const isWatch = query.has('watch');
    requests.push(isWatch ? `watch ${query.get('resourceVersion')}` : 'list');
    const answer = (isWatch ? nextWatches : nextLists).shift() ?? (isWatch ? watch : list);
    answer(response, query);
  });

  return {
    ...server,
    requests,
    nextLists,
    nextWatches,
    things,
    watches,
    version: () => String(version),
    put: (name, value) => {
      version += 1;
      const old = things.get(name);
      // Each version occurs once, so the first one makes the uid unique among objects of the same name.
      const uid = old?.metadata.uid ?? `uid-${version}`;
      const metadata = { name, uid, resourceVersion: String(version) };
      const thing: Thing = { apiVersion: THINGS.apiVersion, kind: THINGS.kind, metadata, value };
      things.set(name, thing);
      record(old === undefined ? 'ADDED' : 'MODIFIED', thing);
    },
    remove: (name) => {
      const old = things.get(name);
      if (old === undefined) throw new Error(`There is no ${name}`);
      version += 1;
      things.delete(name);
      record('DELETED', { ...old, metadata: { ...old.metadata, resourceVersion: String(version) } });
    },
    compact: () => {
      version += 1;
      compacted = version;
      events = [];
    },
    send: (bytes) => {
      for (const response of watches) response.write(bytes);
    },
    endWatches: () => {
      for (const response of watches) response.end();
      watches.clear();
    },
    cutWatches: () => {
      for (const response of watches) response.socket?.destroy();
      watches.clear();
    },
  };
}
