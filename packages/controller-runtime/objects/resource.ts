import { type KubeObject, splitKey } from './kube-object';

/** A kind that the API server serves, and its URL. */
export interface Resource {
  /** `v1`, `apps/v1`, … */
  readonly apiVersion: string;
  readonly kind: string;
  /** The name in the URL: `deployments`. */
  readonly plural: string;
  readonly namespaced: boolean;
}

/** Returns the URL path of all objects of a kind: of one namespace, or of all by default. */
export function collectionPath(resource: Resource, namespace?: string): string {
  const root = resource.apiVersion.includes('/') ? '/apis/' : '/api/';
  const scope = namespace ? `/namespaces/${segmentOf(namespace)}` : '';
  return `${root}${resource.apiVersion}${scope}/${resource.plural}`;
}

/**
 * Returns the URL path of one object, by its key, or of its subresource (`status`, `eviction`, …).
 * @throws if the key has a namespace and the kind has none, or the other way round, or if no object can have the name
 */
export function objectPath(resource: Resource, key: string, subresource?: string): string {
  const { namespace, name } = splitKey(key);
  if (resource.namespaced !== (namespace !== undefined)) {
    const expected = resource.namespaced ? 'namespace/name' : 'name';
    throw new Error(`The key of a ${resource.kind} is '${expected}', got '${key}'`);
  }
  const path = `${collectionPath(resource, namespace)}/${segmentOf(name)}`;
  return subresource ? `${path}/${subresource}` : path;
}

/** HTTP clients resolve `.` and `..` in a path, which would address another object, or all objects of a kind. */
function segmentOf(name: string): string {
  if (/^\.{0,2}$/.test(name) || !name.isWellFormed()) throw new Error(`No object has the name ${JSON.stringify(name)}`);
  return encodeURIComponent(name);
}

/** Returns the object with the kind of its resource: lists omit it, and metadata-only objects have a different one. */
export function withOwnKind<T extends KubeObject>({ apiVersion, kind }: Resource, object: T): T {
  return { ...object, apiVersion, kind };
}
