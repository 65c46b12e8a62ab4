import { isMap, memberOf, type Values, valueAt } from '#base/values';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { RING_LABEL } from '#lib/gitops/argocd/ring';
import { clustersOfSet, isOfFleet } from '#lib/gitops/argocd/written-destinations';
import type { FileReader } from '#lib/gitops/changes/file-contents';
import { type ClusterSide, objectsOf } from '../cluster-side';

/** How Argo CD syncs a cluster, by the ApplicationSets in the output. */
export interface Syncing {
  /** Whether Argo CD deletes objects that are removed from a folder. */
  readonly prunes: (folder: string) => boolean;
  /** Removing a folder deletes its objects. */
  readonly deletesFolders: boolean;
}

/** The ApplicationSets of a platform, by the clusters in their generators. */
export interface Deployments {
  readonly byCluster: ReadonlyMap<string, KubernetesObject>;
  /** The ApplicationSet for all registered clusters. */
  readonly fleet: KubernetesObject | undefined;
}

/** Reads the ApplicationSets of a platform. */
export function deploymentsOf(side: ClusterSide, reader: FileReader): Deployments {
  const sets = objectsOf(side, reader).filter(({ kind }) => kind === 'ApplicationSet');
  const byCluster = new Map<string, KubernetesObject>();
  for (const set of sets) {
    for (const cluster of clustersOfSet(set)) byCluster.set(cluster, set);
  }
  return { byCluster, fleet: sets.find(isOfFleet) };
}

/** Returns how Argo CD syncs a cluster; undefined if no ApplicationSet of the output deploys it. */
export function syncingOf(cluster: string, { byCluster, fleet }: Deployments): Syncing | undefined {
  const set = byCluster.get(cluster) ?? fleet;
  if (set === undefined) return undefined;
  const spec = isMap(set.spec) ? (set.spec as Values) : {};
  const prune = valueAt(spec, 'template.spec.syncPolicy.automated.prune');
  const patch = typeof spec.templatePatch === 'string' ? spec.templatePatch : '';
  const isKeeping = valueAt(spec, 'syncPolicy.preserveResourcesOnDeletion') === true;
  const deletes = ['sync', 'create-delete'].includes(String(valueAt(spec, 'syncPolicy.applicationsSync') ?? 'sync'));
  return {
    prunes: (folder) => prune === true && !unpruned(patch).includes(folder),
    deletesFolders: deletes && !isKeeping,
  };
}

/** Returns the ring in the label of a cluster's Applications; undefined if there is none. */
export function ringOf(cluster: string, { byCluster, fleet }: Deployments): string | undefined {
  const set = byCluster.get(cluster) ?? fleet;
  const labels = valueAt((set?.spec ?? {}) as Values, 'template.metadata.labels');
  const label = isMap(labels) ? memberOf(labels, RING_LABEL) : undefined;
  if (typeof label !== 'string' || !label.includes('{{')) return typeof label === 'string' ? label : undefined;
  // `byCluster` in lib/gitops/argocd/application-set.ts writes: get (dict "a" "canary" …) .name | default "rest".
  const words = [...label.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, word = '']) => word);
  const entries = words.slice(0, -1);
  const index = entries.findIndex((word, place) => place % 2 === 0 && word === cluster);
  return index === -1 ? words.at(-1) : entries[index + 1];
}

/** Whether Argo CD proceeds ring by ring. */
export function isRolling({ fleet }: Deployments): boolean {
  return valueAt((fleet?.spec ?? {}) as Values, 'strategy.type') === 'RollingSync';
}

function unpruned(patch: string): readonly string[] {
  const blocks = patch.split(/(?=\{\{-? *if )/).filter((block) => block.includes('prune: false'));
  return blocks.flatMap((block) =>
    [...(block.split('\n')[0] ?? '').matchAll(/"([^"]+)"/g)].map(([, name = '']) => name),
  );
}
