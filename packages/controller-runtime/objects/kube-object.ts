/** A reference to an owner: the fields that controllers and the garbage collector read. */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
}

/** The fields that one field manager wrote by one operation, to one subresource. */
export interface ManagedFieldsEntry {
  readonly manager?: string;
  readonly operation?: 'Apply' | 'Update';
  readonly subresource?: string;
  readonly time?: string;
  /** The fields as a tree of `f:name`, `k:{…}` and `.` keys. */
  readonly fieldsV1?: Readonly<Record<string, unknown>>;
}

/** The part of `metadata` that the operator reads or writes. Times are RFC 3339 with whole seconds. */
export interface ObjectMeta {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly OwnerReference[];
  readonly finalizers?: readonly string[];
  readonly managedFields?: readonly ManagedFieldsEntry[];
}

/** Any Kubernetes object. Modules that read more declare an interface of these fields. */
export interface KubeObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMeta;
}

/** Returns the key of an object: `namespace/name`, or `name` if it is cluster-scoped. */
export function objectKey(object: KubeObject): string {
  const { namespace, name } = object.metadata;
  return namespace ? `${namespace}/${name}` : name;
}

/**
 * Returns an object that the API server writes only over the version that was observed; otherwise it answers with a 409
 * `Conflict`. With a version alone, server-side apply would recreate a deleted object.
 */
export function lockedTo<T extends KubeObject>(observed: KubeObject, object: T): T {
  const { uid, resourceVersion } = observed.metadata;
  return { ...object, metadata: { ...object.metadata, uid, resourceVersion } };
}

/** Returns the namespace and the name in a key. */
export function splitKey(key: string): { readonly namespace?: string; readonly name: string } {
  const slash = key.indexOf('/');
  return slash < 0 ? { name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}
