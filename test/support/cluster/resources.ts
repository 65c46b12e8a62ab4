import type { Rest } from './rest';

/** The resource of a kind. */
export interface Resource {
  readonly name: string;
  readonly namespaced: boolean;
}

interface Kind {
  readonly apiVersion: string;
  readonly kind: string;
}

/**
 * Looks up the resource of a kind. A kind that was missing is requested again, because CRDs may be added.
 * @throws if the API server does not serve the kind
 */
export function resourceLookup(rest: Rest): (kind: Kind) => Promise<Resource> {
  const known = new Map<string, ReadonlyMap<string, Resource>>();
  return async ({ apiVersion, kind }) => {
    const resource = known.get(apiVersion)?.get(kind);
    if (resource !== undefined) return resource;
    const resources = await discover(rest, apiVersion);
    known.set(apiVersion, resources);
    const found = resources.get(kind);
    if (found === undefined) throw new Error(`The API server has no ${kind} in ${apiVersion}.`);
    return found;
  };
}

async function discover(rest: Rest, apiVersion: string): Promise<ReadonlyMap<string, Resource>> {
  const { resources } = (await rest({ method: 'GET', path: groupPath(apiVersion) })) as {
    readonly resources: readonly { readonly name: string; readonly kind: string; readonly namespaced: boolean }[];
  };
  // Subresources have a kind, too, such as the Scale of a Deployment.
  return new Map(resources.filter(({ name }) => !name.includes('/')).map((resource) => [resource.kind, resource]));
}

/** The path of an API version: `v1` is under /api, every other one under /apis. */
export function groupPath(apiVersion: string): string {
  return apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
}
