import type { KubeObject } from '../objects/kube-object';
import type { Resource } from '../objects/resource';

/** A selection of the objects of a kind: all of them by default. */
export interface Selection {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** True to transfer only `metadata` (PartialObjectMetadata). Default: whole objects. */
  readonly metadataOnly?: boolean;
}

/** Options of every request. */
export interface RequestOptions {
  /** Aborts the request, and the delays between its attempts; the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Maximum milliseconds for one attempt. Default: 30,000. */
  readonly timeoutMs?: number;
}

/** Options of {@link KubeClient.list}. */
export interface ListOptions<T extends KubeObject> extends Selection, RequestOptions {
  /**
   * Reduces an object as it arrives, so that a long list is never completely in memory. Default: everything is kept.
   */
  readonly transform?: (object: T) => T;
  /** Maximum number of objects per request. Default: 500. */
  readonly pageSize?: number;
}

interface WriteOptions extends RequestOptions {
  /** `status`, `eviction`, `token`, … Default: the object itself. */
  readonly subresource?: string;
}

interface ApplyOptions extends WriteOptions {
  /** Takes over fields that another manager owns; otherwise they cause a 409 `Conflict`. Default: false. */
  readonly force?: boolean;
}

interface DeleteOptions extends RequestOptions {
  /** The object must still be this one, at this version; otherwise a 409 `Conflict`. */
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

/** One operation of a JSON patch (RFC 6902). */
export type JsonPatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string };

/** A change of an object: a merge patch (RFC 7386; null removes) or a JSON patch. */
export type Patch =
  | { readonly type: 'merge'; readonly body: Readonly<Record<string, unknown>> }
  | { readonly type: 'json'; readonly body: readonly JsonPatchOperation[] };

/** The objects of one consistent read. */
export interface ObjectList<T extends KubeObject> {
  readonly items: readonly T[];
  /** The version of the whole collection at that read: a watch from this version misses nothing. */
  readonly resourceVersion: string;
}

/** A change in a watch; a bookmark only reports the version that the watch has reached. */
export interface WatchEvent<T extends KubeObject> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  readonly object: T;
}

/** Options of {@link KubeClient.watch}. */
export interface WatchOptions<T extends KubeObject> extends Selection {
  /** Changes after this version are reported. */
  readonly resourceVersion: string;
  /** The seconds after which the server should end the watch. */
  readonly timeoutSeconds: number;
  /** Milliseconds without a byte after which the connection counts as dead. */
  readonly inactivityTimeoutMs: number;
  readonly onEvent: (event: WatchEvent<T>) => void;
  readonly signal: AbortSignal;
}

/**
 * The Kubernetes API. Keys are `namespace/name`, or `name` for cluster-scoped objects.
 *
 * Every refusal is an {@link ApiError}, except 404 where a method says so. 429 and 5xx answers with `Retry-After` are
 * retried a few times; a read or an idempotent write whose connection broke is retried once.
 */
export interface KubeClient {
  /** Reads one object; undefined if there is none. Never from a cache. */
  get<T extends KubeObject>(resource: Resource, key: string, options?: RequestOptions): Promise<T | undefined>;

  /** Reads all objects of a selection, in pages. */
  list<T extends KubeObject>(resource: Resource, options?: ListOptions<T>): Promise<ObjectList<T>>;

  /** Creates an object, or posts to a subresource of the object that `metadata` names. */
  create<T extends KubeObject>(resource: Resource, object: T, options?: WriteOptions): Promise<T>;

  /**
   * Server-side apply: afterwards the object has these fields, and this client owns them; fields that it owned before
   * and omits are removed.
   */
  apply<T extends KubeObject>(resource: Resource, object: T, options?: ApplyOptions): Promise<T>;

  /** Changes an existing object; a 404 is an error. */
  patch<T extends KubeObject>(resource: Resource, key: string, patch: Patch, options?: WriteOptions): Promise<T>;

  /** Replaces an object; with `metadata.resourceVersion` only if it has not changed since (409 `Conflict`). */
  update<T extends KubeObject>(resource: Resource, object: T, options?: WriteOptions): Promise<T>;

  /** Deletes an object; false if there was none. */
  delete(resource: Resource, key: string, options?: DeleteOptions): Promise<boolean>;

  /**
   * Opens one watch connection, which delivers events until the server ends it.
   * @throws ApiError 410 if the version is too old to resume from; any other error if the connection broke
   */
  watch<T extends KubeObject>(resource: Resource, options: WatchOptions<T>): Promise<void>;
}
