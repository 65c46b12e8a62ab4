import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from './eventually';
import type { Connection } from './kubeconfig';
import type { KubeObject, Reference } from './objects';
import { groupPath, resourceLookup } from './resources';
import { ApiError, type Rest, type RestRequest, restClient } from './rest';
import { type StreamEnd, watchClient } from './watch';

interface WriteOptions {
  /** @default 'test' */
  readonly fieldManager?: string;
  /** The API server runs admission, and stores nothing. @default false */
  readonly dryRun?: boolean;
  /** Such as `status`. @default - the object itself */
  readonly subresource?: string;
}

interface ApplyOptions extends WriteOptions {
  /** Takes fields from other managers. @default false */
  readonly force?: boolean;
}

interface ListOptions {
  /** @default - all */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

interface DeleteOptions {
  /** @default 'Background' */
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan';
}

/** The listeners of a watch. `onList` gets all objects at the start, and again after each interruption. */
interface WatchOptions extends ListOptions {
  readonly onList: (objects: readonly KubeObject[]) => void;
  readonly onChange: (type: 'ADDED' | 'MODIFIED' | 'DELETED', object: KubeObject) => void;
}

/** A watch that continues until it is stopped, also after restarts of the API server. */
interface Watch {
  stop(): void;
}

/** The requests of one identity to a cluster. Each throws {@link ApiError} if the API server refuses it. */
export interface Client {
  /** Server-side apply. For a CRD, it waits until the CRD is Established and its kind served. */
  apply(object: KubeObject, options?: ApplyOptions): Promise<KubeObject>;
  /** Server-side apply of several objects in order. */
  applyAll(objects: readonly KubeObject[], options?: ApplyOptions): Promise<KubeObject[]>;
  /** Creates an object, or posts it to a subresource (`eviction`, `token`, `binding`). */
  create(object: KubeObject, options?: WriteOptions): Promise<KubeObject>;
  /** An update of the whole object. If it has a `resourceVersion`, this must be the stored one. */
  replace(object: KubeObject, options?: WriteOptions): Promise<KubeObject>;
  /** A merge patch; a list of operations is a JSON patch. */
  patch(reference: Reference, patch: object, options?: WriteOptions): Promise<KubeObject>;
  get(reference: Reference): Promise<KubeObject>;
  /** Like `get`, but returns `undefined` for 404. */
  find(reference: Reference): Promise<KubeObject | undefined>;
  list(apiVersion: string, kind: string, options?: ListOptions): Promise<KubeObject[]>;
  /** Returns when the API server has accepted the deletion; finalizers may delay the removal. */
  delete(reference: Reference, options?: DeleteOptions): Promise<void>;
  /** Lists the objects of a kind, and reports each later change, in the order of the API server. */
  watch(apiVersion: string, kind: string, options: WatchOptions): Watch;
  /** Any other request: non-resource paths, raw bodies. */
  readonly request: Rest;
}

export function createClient(connection: Connection): Client {
  const rest = restClient(connection);
  const stream = watchClient(connection);
  const lookup = resourceLookup(rest);

  async function path(reference: Reference, subresource?: string): Promise<string> {
    const collection = await collectionPath(reference, reference.metadata.namespace ?? 'default');
    return [collection, reference.metadata.name, subresource].filter((part) => part !== undefined).join('/');
  }

  async function collectionPath(kind: { apiVersion: string; kind: string }, namespace?: string): Promise<string> {
    const { name, namespaced } = await lookup(kind);
    const scope = namespaced && namespace !== undefined ? `/namespaces/${namespace}` : '';
    return `${groupPath(kind.apiVersion)}${scope}/${name}`;
  }

  const send = (request: RestRequest) => rest(request) as Promise<KubeObject>;

  const client: Client = {
    request: rest,

    async apply(object, { force = false, subresource, ...options } = {}) {
      const query = { ...writeQuery(options), force };
      const contentType = 'application/apply-patch+yaml';
      const target = await path(object, subresource);
      const applied = await send({ method: 'PATCH', path: target, query, body: object, contentType });
      if (object.kind === 'CustomResourceDefinition') await established(rest, target, lookup);
      return applied;
    },

    async applyAll(objects, options) {
      const applied: KubeObject[] = [];
      for (const object of objects) applied.push(await client.apply(object, options));
      return applied;
    },

    async create(object, { subresource, ...options } = {}) {
      const { metadata } = object;
      const target = await path(
        { ...object, metadata: subresource === undefined ? { namespace: metadata.namespace } : metadata },
        subresource,
      );
      return send({ method: 'POST', path: target, query: writeQuery(options), body: object });
    },

    async replace(object, { subresource, ...options } = {}) {
      return send({ method: 'PUT', path: await path(object, subresource), query: writeQuery(options), body: object });
    },

    async patch(reference, patch, { subresource, ...options } = {}) {
      const contentType = Array.isArray(patch) ? 'application/json-patch+json' : 'application/merge-patch+json';
      const target = await path(reference, subresource);
      return send({ method: 'PATCH', path: target, query: writeQuery(options), body: patch, contentType });
    },

    async get(reference) {
      return send({ method: 'GET', path: await path(reference) });
    },

    async find(reference) {
      try {
        return await client.get(reference);
      } catch (error) {
        if (error instanceof ApiError && error.code === 404) return undefined;
        throw error;
      }
    },

    async list(apiVersion, kind, { namespace, ...query } = {}) {
      const target = await collectionPath({ apiVersion, kind }, namespace);
      const { items } = (await rest({ method: 'GET', path: target, query })) as { readonly items: KubeObject[] };
      // Items of a list of a built-in kind have no apiVersion and kind.
      return items.map((item) => ({ ...item, apiVersion, kind }));
    },

    watch(apiVersion, kind, { namespace, labelSelector, fieldSelector, onList, onChange }) {
      const selection = { labelSelector, fieldSelector };
      const once = async (): Promise<StreamEnd> => {
        const target = await collectionPath({ apiVersion, kind }, namespace);
        const list = (await rest({ method: 'GET', path: target, query: selection })) as KubeObject;
        const typed = (item: KubeObject): KubeObject => ({ ...item, apiVersion, kind });
        onList((list.items as readonly KubeObject[]).map(typed));
        const query = { ...selection, resourceVersion: list.metadata.resourceVersion };
        return stream(target, query, (type, object) => onChange(type, typed(object)));
      };
      return keepWatching(once);
    },

    async delete(reference, { propagationPolicy = 'Background' } = {}) {
      await rest({ method: 'DELETE', path: await path(reference), query: { propagationPolicy } });
    },
  };
  return client;
}

function writeQuery({ fieldManager = 'test', dryRun = false }: WriteOptions) {
  // `Strict` refuses unknown and duplicate fields.
  return { fieldManager, fieldValidation: 'Strict', dryRun: dryRun ? 'All' : undefined };
}

const RETRY_MS = { first: 100, longest: 1_000 };

function keepWatching(once: () => Promise<StreamEnd>): Watch {
  let stopped = false;
  let current: StreamEnd | undefined;
  const loop = async (): Promise<void> => {
    let waitMs = RETRY_MS.first;
    while (!stopped) {
      try {
        current = await once();
        waitMs = RETRY_MS.first;
        if (stopped) current.abort();
        await current.ended;
      } catch {
        // The API server is down, or does not serve the kind yet. Either may take minutes.
        waitMs = Math.min(waitMs * 1.5, RETRY_MS.longest);
      }
      if (!stopped) await sleep(waitMs, undefined, { ref: false });
    }
  };
  void loop();
  return {
    stop: () => {
      stopped = true;
      current?.abort();
    },
  };
}

/** A CRD's kind can be used once the CRD is Established and the kind is in the discovery documents. */
async function established(rest: Rest, path: string, lookup: ReturnType<typeof resourceLookup>): Promise<void> {
  await eventually(async () => {
    const { spec, status } = (await rest({ method: 'GET', path })) as KubeObject;
    const conditions: readonly { type: string; status: string }[] = status?.conditions ?? [];
    if (!conditions.some(({ type, status: value }) => type === 'Established' && value === 'True')) {
      throw new Error(`${path} is not Established: ${JSON.stringify(conditions)}`);
    }
    for (const { name, served } of spec.versions) {
      if (served) await lookup({ apiVersion: `${spec.group}/${name}`, kind: spec.names.kind });
    }
  });
}

/** Deletes an object that may be gone already. */
export async function deleteIfThere(client: Client, object: Reference): Promise<void> {
  try {
    await client.delete(object);
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 404)) throw error;
  }
}
