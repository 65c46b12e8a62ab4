import { type KubeObject, objectKey } from '../objects/kube-object';
import { collectionPath, objectPath, type Resource, withOwnKind } from '../objects/resource';
import { isApiError } from './api-error';
import type { Connection } from './connection';
import type { KubeClient, ListOptions, Patch, RequestOptions, WatchOptions } from './kube-client';
import { type ListPage, listPages } from './list-pages';
import { createTransport, type RestRequest, type Transport, type TransportOptions } from './rest-transport';
import { acceptHeader, selectionPath, withQuery } from './selection-request';
import { readWatchEvents } from './watch-stream';

/** Options of {@link createKubeClient}. */
export interface KubeClientOptions extends Omit<TransportOptions, 'userAgent'> {
  /** The field manager of this client, which is also its user agent. */
  readonly fieldManager: string;
}

/** Creates a client of the API server at a connection. */
export function createKubeClient(connection: Connection, options: KubeClientOptions): KubeClient {
  const { fieldManager, onResponse, maxBytes } = options;
  const transport = createTransport(connection, { userAgent: fieldManager, onResponse, maxBytes });
  const send = async <T extends KubeObject>(request: RestRequest): Promise<T> => (await transport.json(request)) as T;

  return {
    get: async (resource, key, limits) => {
      const request = { ...limits, method: 'GET', path: objectPath(resource, key), isIdempotent: true } as const;
      return await undefinedIfNotFound(send(request));
    },

    list: async (resource, listOptions) => await list(transport, resource, listOptions),

    create: async (resource, object, { subresource, ...limits } = {}) => {
      const ofObject = objectPath(resource, objectKey(object), subresource);
      const path = subresource ? ofObject : collectionPath(resource, object.metadata.namespace);
      const body = { type: 'application/json', content: withKind(resource, object) };
      return await send({
        ...limits,
        method: 'POST',
        path: withQuery(path, { fieldManager }),
        body,
        isIdempotent: false,
      });
    },

    apply: async (resource, object, { subresource, force, ...limits } = {}) => {
      const path = withQuery(objectPath(resource, objectKey(object), subresource), { fieldManager, force });
      // JSON is YAML; API servers before 1.32 do not support apply-patch+json.
      const body = { type: 'application/apply-patch+yaml', content: withKind(resource, object) };
      return await send({ ...limits, method: 'PATCH', path, body, isIdempotent: true });
    },

    patch: async (resource, key, { type, body: content }, { subresource, ...limits } = {}) => {
      const path = withQuery(objectPath(resource, key, subresource), { fieldManager });
      const body = { type: PATCH_TYPES[type], content };
      // A JSON patch may append to a list.
      return await send({ ...limits, method: 'PATCH', path, body, isIdempotent: type === 'merge' });
    },

    update: async (resource, object, { subresource, ...limits } = {}) => {
      const path = withQuery(objectPath(resource, objectKey(object), subresource), { fieldManager });
      const body = { type: 'application/json', content: withKind(resource, object) };
      return await send({ ...limits, method: 'PUT', path, body, isIdempotent: true });
    },

    delete: async (resource, key, { preconditions, ...limits } = {}) => {
      const content = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions };
      const body = { type: 'application/json', content };
      const request = {
        ...limits,
        method: 'DELETE',
        path: objectPath(resource, key),
        body,
        isIdempotent: true,
      } as const;
      return (await undefinedIfNotFound(transport.json(request))) !== undefined;
    },

    watch: async (resource, watchOptions) => await watchOnce(transport, resource, watchOptions),
  };
}

const PATCH_TYPES: Readonly<Record<Patch['type'], string>> = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
};

function list<T extends KubeObject>(transport: Transport, resource: Resource, options: ListOptions<T> = {}) {
  const { signal, timeoutMs, transform = (object: T) => object, pageSize, ...selection } = options;
  const limits: RequestOptions = { signal, timeoutMs };
  return listPages(
    async (query) => {
      const path = selectionPath(resource, selection, { ...query });
      const accept = acceptHeader(selection, 'list');
      return (await transport.json({ ...limits, method: 'GET', path, accept, isIdempotent: true })) as ListPage;
    },
    (object) => transform(withOwnKind(resource, object as T)),
    pageSize,
  );
}

/** Returns the object to send: its kind is that of the resource unless a subresource has its own. */
function withKind<T extends KubeObject>({ apiVersion, kind }: Resource, object: T): T {
  return { apiVersion, kind, ...object };
}

async function undefinedIfNotFound<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (isApiError(error, 404)) return undefined;
    throw error;
  }
}

/** Maximum milliseconds until the API server accepts a watch, which it does before any event. */
const OPEN_TIMEOUT_MS = 30_000;

/** See `KubeClient.watch`. */
async function watchOnce<T extends KubeObject>(
  transport: Transport,
  resource: Resource,
  options: WatchOptions<T>,
): Promise<void> {
  const { resourceVersion, timeoutSeconds, inactivityTimeoutMs, onEvent, signal, ...selection } = options;
  signal.throwIfAborted();
  const query = { watch: true, allowWatchBookmarks: true, resourceVersion, timeoutSeconds };
  const path = selectionPath(resource, selection, query);

  const controller = new AbortController();
  const onAbort = (): void => controller.abort(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  const giveUp = (ms: number) => () =>
    controller.abort(new Error(`watch ${resource.plural}: no data arrived for ${ms} ms`));
  let timer = setTimeout(giveUp(OPEN_TIMEOUT_MS), OPEN_TIMEOUT_MS);
  try {
    const response = await transport.stream({
      path,
      accept: acceptHeader(selection, 'objects'),
      signal: controller.signal,
    });
    clearTimeout(timer);
    timer = setTimeout(giveUp(inactivityTimeoutMs), inactivityTimeoutMs);
    await readWatchEvents<T>(
      response,
      ({ type, object }) => onEvent({ type, object: withOwnKind(resource, object) }),
      () => timer.refresh(),
    );
  } catch (error) {
    controller.signal.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}
