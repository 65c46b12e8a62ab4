import type { Problem } from '#base/findings/problem';
import { checkDnsLabel } from '#kubernetes/names';
import { checkPermittedKind } from '#kubernetes/objects/group-kind';
import { each, keysOf, keysWithout, list } from '#kubernetes/options/known-keys';
import type { ClusterInventory } from '../synth/inventory';
import type { AppProjectProps } from './app-project';
import type { ClusterResource, NamespacedResource } from './permissions';

/** Permissions of the AppProject for objects that are no longer in the output, but in the older output of a ring. */
export interface FurtherPermits {
  /**
   * Namespaces, in all clusters.
   *
   * @default - none
   */
  readonly namespaces?: readonly string[];

  /**
   * Cluster-scoped kinds: all objects of a kind, or one by name.
   *
   * @default - none
   */
  readonly clusterResources?: readonly ClusterResource[];

  /**
   * Namespaced kinds.
   *
   * @default - none
   */
  readonly namespacedResources?: readonly NamespacedResource[];
}

const RESOURCE = keysOf<ClusterResource>({ group: true, kind: true, name: true });

/** The keys of FurtherPermits. */
export const FURTHER_PERMITS = keysOf<FurtherPermits>({
  namespaces: list('a list of namespaces'),
  clusterResources: each(RESOURCE),
  namespacedResources: each(keysWithout(RESOURCE, 'name')),
});

/** Returns the props of a project with additional permissions, without duplicates. */
export function withPermits(
  props: AppProjectProps,
  { namespaces = [], clusterResources = [], namespacedResources = [] }: FurtherPermits,
  clusters: readonly Pick<ClusterInventory, 'name' | 'destination'>[],
  isFleet: boolean,
): AppProjectProps {
  const destinations = clusters.flatMap(({ name, destination }) =>
    namespaces.map((namespace) => ({ ...(isFleet ? { name } : destination), namespace })),
  );
  return {
    ...props,
    destinations: distinct([...props.destinations, ...destinations]),
    clusterResources: distinct([...(props.clusterResources ?? []), ...clusterResources]),
    namespacedResources: distinct([...(props.namespacedResources ?? []), ...namespacedResources]),
  };
}

/** Reports entries that would permit nothing. */
export function checkPermits({
  namespaces = [],
  clusterResources = [],
  namespacedResources = [],
}: FurtherPermits): readonly Problem[] {
  return [
    ...namespaces.flatMap((name, index) => checkDnsLabel(`argocd.permitAlso.namespaces[${index}]`, name)),
    ...clusterResources.flatMap((kind, index) =>
      checkPermittedKind(`argocd.permitAlso.clusterResources[${index}]`, kind),
    ),
    ...namespacedResources.flatMap((kind, index) =>
      checkPermittedKind(`argocd.permitAlso.namespacedResources[${index}]`, kind),
    ),
  ];
}

function distinct<T extends object>(items: readonly T[]): readonly T[] {
  return [...new Map(items.map((item) => [JSON.stringify(Object.entries(item).sort()), item])).values()];
}
