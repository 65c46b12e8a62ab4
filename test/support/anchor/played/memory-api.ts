import { isObject } from '#base/is-object';
import type { KubeClient } from '#controller-runtime/client/kube-client';
import { type KubeObject, objectKey } from '#controller-runtime/objects/kube-object';
import type { Resource } from '#controller-runtime/objects/resource';
import { apiError } from '../../controller-runtime/api-error';

/** An object with any fields. */
// biome-ignore lint/suspicious/noExplicitAny: tests read fields that they have written.
export type AnyObject = KubeObject & Record<string, any>;

/** A write of a client. */
export interface Write {
  readonly verb: 'apply' | 'patch' | 'delete';
  readonly plural: string;
  readonly key: string;
  readonly subresource?: string;
}

/** The objects of a cluster, in memory. */
export interface MemoryApi {
  find(plural: string, key: string): AnyObject | undefined;
  list(plural: string, namespace?: string): readonly AnyObject[];
  /** Writes as another client: merges the fields of the object into the stored one. */
  put(plural: string, object: AnyObject): AnyObject;
  remove(plural: string, key: string): void;
  /** The writes of all clients, in order. */
  readonly writes: readonly Write[];
  /** Calls `check` before each write of a client. */
  onWrite(check: (write: Write, body: AnyObject | undefined) => void): void;
  /** A client of these objects, with only the methods that the anchor's reconciler calls: no creation, no watch. */
  readonly client: KubeClient;
  /** An independent copy with the same objects. */
  copy(): MemoryApi;
}

type Objects = Map<string, AnyObject>;

/** Creates an API in memory, empty by default. */
export function memoryApi(objects: Objects = new Map(), first = 0): MemoryApi {
  let version = first;
  const writes: Write[] = [];
  const checks: ((write: Write, body: AnyObject | undefined) => void)[] = [];
  const idOf = (plural: string, key: string): string => `${plural} ${key}`;
  const find = (plural: string, key: string): AnyObject | undefined => objects.get(idOf(plural, key));
  const write = (plural: string, object: AnyObject): AnyObject => {
    const old = find(plural, objectKey(object));
    if (old !== undefined && isSame(old, object)) return old;
    version += 1;
    const { metadata } = object;
    const isNewSpec = JSON.stringify(old?.spec) !== JSON.stringify(object.spec);
    const written: AnyObject = {
      ...object,
      metadata: {
        ...metadata,
        uid: old?.metadata.uid ?? `uid-${version}`,
        resourceVersion: `${version}`,
        generation: (old?.metadata.generation ?? 0) + (isNewSpec ? 1 : 0),
      },
    };
    objects.set(idOf(plural, objectKey(object)), frozen(written));
    return written;
  };
  const note = (one: Write, body?: AnyObject): void => {
    for (const check of checks) check(one, body);
    writes.push(one);
  };
  const checkVersion = ({ plural }: Resource, key: string, wanted: Partial<KubeObject['metadata']>): void => {
    const { uid, resourceVersion } = find(plural, key)?.metadata ?? {};
    const isOther =
      wanted.resourceVersion !== undefined && wanted.resourceVersion !== (resourceVersion ?? wanted.resourceVersion);
    if (isOther || (wanted.uid !== undefined && wanted.uid !== uid)) {
      throw conflict(key);
    }
  };
  const client = {
    get: (resource: Resource, key: string) => settle(() => find(resource.plural, key)),
    apply: (resource: Resource, body: AnyObject, { subresource, force }: ApplyOptions = {}) =>
      settle(() => {
        const key = objectKey(body);
        checkVersion(resource, key, body.metadata);
        // Without force, an object that exists counts as owned by another manager.
        if (!force && find(resource.plural, key) !== undefined) throw conflict(key);
        note({ verb: 'apply', plural: resource.plural, key, ...(subresource && { subresource }) }, body);
        const old = find(resource.plural, key);
        return write(resource.plural, applied(old, body, subresource));
      }),
    patch: (resource: Resource, key: string, { body }: { readonly body: Record<string, unknown> }) =>
      settle(() => {
        const old = find(resource.plural, key);
        if (old === undefined) throw apiError(404, { message: key });
        checkVersion(resource, key, (body.metadata as AnyObject['metadata']) ?? {});
        note({ verb: 'patch', plural: resource.plural, key }, body as AnyObject);
        return write(resource.plural, merged(old, body) as AnyObject);
      }),
    delete: (resource: Resource, key: string, { preconditions = {} }: { readonly preconditions?: object } = {}) =>
      settle(() => {
        const isThere = find(resource.plural, key) !== undefined;
        if (isThere) checkVersion(resource, key, preconditions);
        if (isThere) note({ verb: 'delete', plural: resource.plural, key });
        return objects.delete(idOf(resource.plural, key));
      }),
  };
  return {
    find,
    list: (plural, namespace) =>
      [...objects]
        .filter(
          ([id, { metadata }]) =>
            id.startsWith(`${plural} `) && (namespace ?? metadata.namespace) === metadata.namespace,
        )
        .map(([, object]) => object),
    put: (plural, object) => write(plural, merged(find(plural, objectKey(object)) ?? {}, object) as AnyObject),
    remove: (plural, key) => void objects.delete(idOf(plural, key)),
    writes,
    onWrite: (check) => void checks.push(check),
    client: client as unknown as KubeClient,
    copy: () => memoryApi(new Map(objects), version),
  };
}

interface ApplyOptions {
  readonly subresource?: string;
  readonly force?: boolean;
}

function conflict(key: string): Error {
  return apiError(409, { reason: 'Conflict', message: `${key} is another one` });
}

async function settle<T>(answer: () => T): Promise<T> {
  await Promise.resolve();
  return answer();
}

/** Freezes data deeply, so that all callers can share it: an attempt to change it throws. */
export function frozen<T>(data: T): T {
  if (typeof data !== 'object' || data === null || Object.isFrozen(data)) return data;
  for (const value of Object.values(data)) frozen(value);
  return Object.freeze(data);
}

/** Server-side apply by the owner of all fields: annotations, labels, data and status become those of the body. */
function applied(old: AnyObject | undefined, body: AnyObject, subresource: string | undefined): AnyObject {
  if (subresource === 'status') {
    // A status without `memory` is not the operator's own: there, conditions merge by type.
    const conditions = [...(old?.status?.conditions ?? [])];
    const isOwn = body.status.memory !== undefined;
    const types = new Set(body.status.conditions.map(({ type }: { readonly type: string }) => type));
    const kept = conditions.filter(({ type }) => !types.has(type));
    const status = isOwn
      ? body.status
      : { ...old?.status, ...body.status, conditions: [...kept, ...body.status.conditions] };
    return { ...(old as AnyObject), status };
  }
  const { resourceVersion: _, ...metadata } = body.metadata;
  return { ...old, ...body, metadata: { ...old?.metadata, annotations: undefined, ...metadata } };
}

function merged(old: unknown, change: unknown): unknown {
  if (!isObject(change)) return change;
  const base: Record<string, unknown> = isObject(old) ? { ...old } : {};
  for (const [key, value] of Object.entries(change)) {
    if (value === null) delete base[key];
    else base[key] = merged(base[key], value);
  }
  return base;
}

function isSame(one: AnyObject, other: AnyObject): boolean {
  const strip = ({ metadata: { resourceVersion: _, generation: __, uid: ___, ...metadata }, ...rest }: AnyObject) =>
    JSON.stringify({ metadata, ...rest });
  return strip(one) === strip(other);
}
