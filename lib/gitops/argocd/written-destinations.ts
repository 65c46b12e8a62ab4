import { objectOf } from '#base/is-object';
import { isMap, type Value, type Values, valueAt } from '#base/values';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { addressOf } from './target';

/** Returns the clusters whose folders an ApplicationSet deploys; none for a fleet. */
export function clustersOfSet({ spec }: KubernetesObject): readonly string[] {
  return pathsIn(spec as Value).flatMap((path) => /(?:^|\/)([a-z0-9][a-z0-9.-]*)\/\*$/.exec(path)?.[1] ?? []);
}

/** Whether an ApplicationSet deploys the folders of all registered clusters. */
export function isOfFleet({ spec }: KubernetesObject): boolean {
  return pathsIn(spec as Value).some((path) => path.includes('{{'));
}

function pathsIn(value: Value | undefined): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(pathsIn);
  if (!isMap(value)) return [];
  return Object.entries(value).flatMap(([key, of]) => (key === 'path' && typeof of === 'string' ? [of] : pathsIn(of)));
}

/** Returns the address of each cluster of an output, as in its ApplicationSets. */
export function writtenDestinations(objects: readonly KubernetesObject[]): ReadonlyMap<string, string> {
  return new Map(
    objects
      .filter(({ kind }) => kind === 'ApplicationSet')
      .flatMap((set) => {
        const address = writtenAddress(valueAt(objectOf(set.spec) as Values, 'template.spec.destination'));
        return address === undefined ? [] : clustersOfSet(set).map((cluster) => [cluster, address] as const);
      }),
  );
}

/** Returns the address of a destination; undefined without one. */
export function writtenAddress(destination: unknown): string | undefined {
  const { server, name } = objectOf(destination);
  if (typeof server === 'string') return addressOf({ server });
  return typeof name === 'string' ? addressOf({ name }) : undefined;
}

/** Returns the old name of each renamed cluster, by its new name. A renamed cluster keeps its address. */
export function renamedClusters(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const gone = new Map([...before].filter(([name]) => !after.has(name)).map(([name, address]) => [address, name]));
  return new Map(
    [...after].flatMap(([name, address]) => {
      const old = before.has(name) ? undefined : gone.get(address);
      return old === undefined ? [] : [[name, old] as const];
    }),
  );
}
