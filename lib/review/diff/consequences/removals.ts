import { remembered } from '#base/remembered';
import { SYNC_OPTIONS } from '#kubernetes/objects/argocd-annotations';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { identityOf } from '#kubernetes/objects/scope';
import type { KeptWhy } from './catalogue';
import type { ComparedCluster } from './compared';
import type { Syncing } from './syncing';

export type Removal = { readonly outcome: 'deleted' | 'unknown' } | { readonly outcome: 'kept'; readonly why: KeptWhy };

/** Returns whether Argo CD deletes an object that leaves the output, or why it keeps the object. */
export function removalOf(object: KubernetesObject, { changes, before, after, syncing }: ComparedCluster): Removal {
  const folder = folderOf(filesById(changes).get(identityOf(object)) ?? [...before.texts.keys()][0] ?? '');
  if (syncing === undefined) {
    const isKept = isAnnotated(object, 'Prune=false') && isAnnotated(object, 'Delete=false');
    return isKept ? { outcome: 'kept', why: 'annotation' } : { outcome: 'unknown' };
  }
  const isFolderGone = !foldersOf(after).has(folder);
  const why = keptBy(object, { folder, isFolderGone }, syncing);
  return why === undefined ? { outcome: 'deleted' } : { outcome: 'kept', why };
}

/** Whether an object stays only until the user confirms its deletion. */
export function isConfirmed(removal: Removal): boolean {
  return removal.outcome === 'kept' && removal.why === 'confirmation';
}

/** Treats objects that leave the output but stay in the cluster as unchanged. */
export function withoutKept(cluster: ComparedCluster): ComparedCluster {
  const kept = new Set(
    cluster.changes.removed.filter((object) => {
      const removal = removalOf(object, cluster);
      return removal.outcome === 'kept' && !isConfirmed(removal);
    }),
  );
  if (kept.size === 0) return cluster;
  const { changes, objects } = cluster;
  const removed = changes.removed.filter((object) => !kept.has(object));
  return { ...cluster, changes: { ...changes, removed }, objects: () => [...objects(), ...kept] };
}

const filesById = remembered(
  ({ changes }: ComparedCluster['changes']) =>
    new Map(
      changes.flatMap(({ file, object, change }) =>
        change === 'removed' && object !== undefined ? [[identityOf({ ...object, metadata: object }), file]] : [],
      ),
    ),
);

const foldersOf = remembered(({ texts }: ComparedCluster['after']) => new Set([...texts.keys()].map(folderOf)));

function folderOf(file: string): string {
  return file.slice(0, Math.max(0, file.indexOf('/')));
}

function isAnnotated({ metadata: { annotations = {} } }: KubernetesObject, option: string): boolean {
  return (annotations[SYNC_OPTIONS] ?? '').split(',').some((one) => one.trim() === option);
}

function keptBy(
  object: KubernetesObject,
  { folder, isFolderGone }: { readonly folder: string; readonly isFolderGone: boolean },
  { prunes, deletesFolders }: Syncing,
): KeptWhy | undefined {
  if (isFolderGone && !deletesFolders) return 'folder';
  // When Argo CD deletes an Application, it respects the option `Delete`; when it syncs, `Prune`.
  const option = isFolderGone ? 'Delete' : 'Prune';
  if (isAnnotated(object, `${option}=false`)) return 'annotation';
  if (isAnnotated(object, `${option}=confirm`)) return 'confirmation';
  return isFolderGone || prunes(folder) ? undefined : 'application';
}
