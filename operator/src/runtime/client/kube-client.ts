import type { KubeObject } from '../objects/kube-object';
import type { Resource } from '../objects/resource';

/** A selection among the objects of a kind: all of them where nothing is given. */
export interface Selection {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** True to transfer only `metadata` (PartialObjectMetadata). Default: whole objects. */
  readonly metadataOnly?: boolean;
}

/** Options of every request. */
export interface RequestOptions {
  /** Ends the request, and the waits between its attempts; the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Milliseconds that one attempt may take. Default: 30,000. */
  readonly timeoutMs?: number;
}

/** Options of {@link KubeClient.list}. */
export interface ListOptions<T extends KubeObject> extends Selection, RequestOptions {
  /** Reduces an object as it arrives, so that a long list is never in memory whole. Default: everything is kept. */
  readonly transform?: (object: T) => T;
  /** Objects of one request. Default: 500. */
  readonly pageSize?: number;
}

interface WriteOptions extends RequestOptions {
  /** `status`, `eviction`, `token`, … Default: the object itself. */
  readonly subresource?: string;
}

interface ApplyOptions extends WriteOptions {
  /** Takes fields over that another manager owns; without it that is a 409 `Conflict`. Default: false. */
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
  /** The version of the whole collection at that read: a watch that starts here misses nothing. */
  readonly resourceVersion: string;
}

/** A change that a watch reports; a bookmark only tells how far the watch has come. */
export interface WatchEvent<T extends KubeObject> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  readonly object: T;
}

/** Options of {@link KubeClient.watch}. */
export interface WatchOptions<T extends KubeObject> extends Selection {
  /** Changes after this version are reported. */
  readonly resourceVersion: string;
  /** The seconds after which the server is to end the watch. */
  readonly timeoutSeconds: number;
  /** Milliseconds without a byte after which the connection counts as dead. */
  readonly inactivityTimeoutMs: number;
  readonly onEvent: (event: WatchEvent<T>) => void;
  readonly signal: AbortSignal;
}

/**
 * The Kubernetes API. Keys are `namespace/name`, or `name` for what is cluster-scoped.
 *
 * Every refusal is an {@link ApiError}, except 404 where a method says so. 429 and 5xx answers that carry `Retry-After`
 * are retried a few times; so is, once, a read or an idempotent write whose connection broke.
 */
export interface KubeClient {
  /** Reads one object; undefined when there is none. Never from a cache. */
  get<T extends KubeObject>(resource: Resource, key: string, options?: RequestOptions): Promise<T | undefined>;

  /** Reads all objects of a selection, in pages. */
  list<T extends KubeObject>(resource: Resource, options?: ListOptions<T>): Promise<ObjectList<T>>;

  /** Creates an object, or posts to a subresource of the object that `metadata` names. */
  create<T extends KubeObject>(resource: Resource, object: T, options?: WriteOptions): Promise<T>;

  /** Server-side apply: afterwards the object's fields are these, and ours; fields that we owned before and leave out go. */
  apply<T extends KubeObject>(resource: Resource, object: T, options?: ApplyOptions): Promise<T>;

  /** Changes an object that exists; a 404 is an error. */
  patch<T extends KubeObject>(resource: Resource, key: string, patch: Patch, options?: WriteOptions): Promise<T>;

  /** Replaces an object; with `metadata.resourceVersion` only if nobody changed it since (409 `Conflict`). */
  update<T extends KubeObject>(resource: Resource, object: T, options?: WriteOptions): Promise<T>;

  /** Deletes an object; false when there was none. */
  delete(resource: Resource, key: string, options?: DeleteOptions): Promise<boolean>;

  /**
   * One watch connection, which delivers events until the server ends it.
   * @throws ApiError 410 when the version is too old to go on from; any other error when the connection broke
   */
  watch<T extends KubeObject>(resource: Resource, options: WatchOptions<T>): Promise<void>;
}
