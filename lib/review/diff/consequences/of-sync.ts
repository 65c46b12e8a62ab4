import { describeObject, type KubernetesObject } from '#lib/kubernetes/kubernetes-object';
import { SYNC_OPTIONS } from '#lib/kubernetes/sync-options';
import { installedChanges } from '#lib/linkerd/releases/definition-changes';
import type { Installed } from '#lib/linkerd/releases/installed';
import { immutableChanges, isRecreated } from '../../compare/immutable-fields';
import { identityOf } from '../cluster-side';
import { type Consequence, consequence, type KeptWhy } from './catalogue';
import type { ComparedCluster } from './compared';
import { abandonedSecret } from './of-certificates';
import type { Syncing } from './syncing';

/**
 * Returns the consequences of how Argo CD and the API server apply the changes: what is deleted, kept, refused or
 * recreated.
 */
export function ofSync(cluster: ComparedCluster): readonly Consequence[] {
  return [...removals(cluster), ...fixedFields(cluster), ...definitions(cluster)];
}

function removals({ changes, before, after, syncing }: ComparedCluster): readonly Consequence[] {
  const folders = new Set([...after.texts.keys()].map(folderOf));
  const folderById = new Map(
    changes.changes.flatMap(({ file, object, change }) =>
      change === 'removed' && object !== undefined
        ? [[identityOf({ ...object, metadata: object }), folderOf(file)] as const]
        : [],
    ),
  );
  return changes.removed.flatMap((object): readonly Consequence[] => {
    const folder = folderById.get(identityOf(object)) ?? folderOf([...before.texts.keys()][0] ?? '');
    const name = describeObject(object);
    const isKept = isAnnotated(object, 'Prune=false') && isAnnotated(object, 'Delete=false');
    if (syncing === undefined && !isKept) {
      return [consequence({ code: 'object-removed', object: name, outcome: 'unknown' }), ...abandonedSecret(object)];
    }
    const why =
      syncing === undefined ? 'annotation' : keptBy(object, { folder, isFolderGone: !folders.has(folder) }, syncing);
    if (why !== undefined) {
      return [consequence({ code: 'object-removed', object: name, outcome: 'kept', why }, 'info')];
    }
    return [consequence({ code: 'object-removed', object: name, outcome: 'deleted' }), ...abandonedSecret(object)];
  });
}

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
  // Deleting an Application respects `Delete`, and a sync `Prune`.
  const option = isFolderGone ? 'Delete' : 'Prune';
  if (isAnnotated(object, `${option}=false`)) return 'annotation';
  if (isAnnotated(object, `${option}=confirm`)) return 'confirmation';
  return isFolderGone || prunes(folder) ? undefined : 'application';
}

function fixedFields({ changes }: ComparedCluster): readonly Consequence[] {
  return changes.changed.flatMap((pair): readonly Consequence[] => {
    const fields = immutableChanges(pair);
    const object = describeObject(pair.after);
    if (fields.length === 0) return [];
    return isRecreated(pair.after)
      ? [consequence({ code: 'object-replaced', object, fields })]
      : [consequence({ code: 'sync-fails', object, fields })];
  });
}

function definitions({ contents }: ComparedCluster): readonly Consequence[] {
  const { before, after } = contents;
  const found = installedChanges(before.installed ?? NONE, after.installed ?? NONE);
  return found.flatMap(
    ({ name: crd, before: old, after: next, stored, doubtful, unserved, added }): readonly Consequence[] => {
      if (old === undefined) return [consequence({ code: 'crd-added', crd })];
      if (next === undefined) return [consequence({ code: 'crd-removed', crd })];
      const gone = [...stored, ...doubtful].sort();
      const still = unserved.filter((version) => !gone.includes(version));
      const isStored = stored.length > 0;
      return [
        ...(gone.length === 0
          ? []
          : [consequence({ code: isStored ? 'crd-versions-removed' : 'crd-versions-at-risk', crd, versions: gone })]),
        ...(still.length === 0 ? [] : [consequence({ code: 'crd-version-unserved', crd, versions: still })]),
        ...(added.length === 0 ? [] : [consequence({ code: 'crd-version-added', crd, versions: added })]),
      ];
    },
  );
}

const NONE: Installed = { releases: {}, definitions: [] };
