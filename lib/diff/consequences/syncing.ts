import type { FileReader } from '../../compare/file-contents';
import type { KubernetesObject } from '../../kubernetes/kubernetes-object';
import { isMap, type Value, type Values, valueAt } from '../../releases/values';
import { type ClusterSide, objectsOf } from '../cluster-side';

/** The way in which Argo CD syncs a cluster, as far as the output of a platform says it. */
export interface Syncing {
  /** Tells whether Argo CD deletes what a folder no longer has. */
  readonly prunes: (folder: string) => boolean;
  /** Tells whether a folder that is gone takes its objects along. */
  readonly deletesFolders: boolean;
}

/** Reads how Argo CD syncs a cluster: from the ApplicationSet whose generator names its folder; as a platform writes it by default where none does. */
export function syncingOf(cluster: string, sets: readonly KubernetesObject[]): Syncing {
  const set =
    sets.find((one) => pathsIn(one.spec as Value).some((path) => path.split('/').includes(cluster))) ?? sets[0];
  const spec = isMap(set?.spec) ? (set.spec as Values) : {};
  const prune = valueAt(spec, 'template.spec.syncPolicy.automated.prune');
  const patch = typeof spec.templatePatch === 'string' ? spec.templatePatch : '';
  const isKeeping = valueAt(spec, 'syncPolicy.preserveResourcesOnDeletion') === true;
  const deletes = ['sync', 'create-delete'].includes(String(valueAt(spec, 'syncPolicy.applicationsSync') ?? 'sync'));
  return {
    prunes: (folder) => (set === undefined || prune === true) && !unpruned(patch).includes(folder),
    deletesFolders: set !== undefined && deletes && !isKeeping,
  };
}

/** The ApplicationSets among the objects by which Argo CD deploys a platform. */
export function applicationSets(side: ClusterSide, reader: FileReader): readonly KubernetesObject[] {
  return objectsOf(side, reader).filter(({ kind }) => kind === 'ApplicationSet');
}

/** All paths that generators name, at any depth. */
function pathsIn(value: Value | undefined): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(pathsIn);
  if (!isMap(value)) return [];
  return Object.entries(value).flatMap(([key, of]) => (key === 'path' && typeof of === 'string' ? [of] : pathsIn(of)));
}

/** The folders for which a template patch turns pruning off. */
function unpruned(patch: string): readonly string[] {
  const blocks = patch.split(/(?=\{\{-? *if )/).filter((block) => block.includes('prune: false'));
  return blocks.flatMap((block) =>
    [...(block.split('\n')[0] ?? '').matchAll(/"([^"]+)"/g)].map(([, name = '']) => name),
  );
}
