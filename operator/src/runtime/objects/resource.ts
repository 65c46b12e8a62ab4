import { type KubeObject, splitKey } from './kube-object';

/** A kind that the API server serves, and where. */
export interface Resource {
  /** `v1`, `apps/v1`, … */
  readonly apiVersion: string;
  readonly kind: string;
  /** The name in the URL: `deployments`. */
  readonly plural: string;
  readonly namespaced: boolean;
}

/** The URL path of all objects of a kind: of one namespace, or of all when none is given. */
export function collectionPath(resource: Resource, namespace?: string): string {
  const root = resource.apiVersion.includes('/') ? '/apis/' : '/api/';
  const scope = namespace ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  return `${root}${resource.apiVersion}${scope}/${resource.plural}`;
}

/**
 * The URL path of one object, by its key, or of a subresource of it (`status`, `eviction`, …).
 * @throws when the key has a namespace and the kind has none, or the other way round
 */
export function objectPath(resource: Resource, key: string, subresource?: string): string {
  const { namespace, name } = splitKey(key);
  if (resource.namespaced !== (namespace !== undefined)) {
    const expected = resource.namespaced ? 'namespace/name' : 'name';
    throw new Error(`The key of a ${resource.kind} is '${expected}', got '${key}'`);
  }
  const path = `${collectionPath(resource, namespace)}/${encodeURIComponent(name)}`;
  return subresource ? `${path}/${subresource}` : path;
}

/** The object with the kind of its resource: lists leave it out, and bare metadata comes as a kind of its own. */
export function withOwnKind<T extends KubeObject>({ apiVersion, kind }: Resource, object: T): T {
  return { ...object, apiVersion, kind };
}
