import { installedChanges } from '../../../gitops/changes/definition-changes';
import type { Installed } from '../../../gitops/synth/installed';
import { describeObject, type KubernetesObject } from '../../../kubernetes/kubernetes-object';
import { SYNC_OPTIONS } from '../../../kubernetes/sync-options';
import { immutableChanges, isMadeAnew } from '../../compare/immutable-fields';
import { identityOf } from '../cluster-side';
import type { ComparedCluster } from './compared';
import type { Consequence } from './consequence';
import { abandonedSecret } from './of-certificates';
import type { Syncing } from './syncing';

/** The consequences of how Argo CD and the API server take the changes: what is deleted, kept, refused or made anew. */
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
      return [{ code: 'object-gone', severity: 'warning', object: name }, ...abandonedSecret(object)];
    }
    const why = syncing && keptBy(object, { folder, isFolderGone: !folders.has(folder) }, syncing);
    if (isKept && syncing === undefined)
      return [{ code: 'object-kept', severity: 'info', object: name, why: 'annotation' }];
    return why === undefined
      ? [{ code: 'object-deleted', severity: 'warning', object: name }, ...abandonedSecret(object)]
      : [{ code: 'object-kept', severity: 'info', object: name, why }];
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
): Extract<Consequence, { code: 'object-kept' }>['why'] | undefined {
  if (isFolderGone && !deletesFolders) return 'folder';
  // Who deletes an Application goes by `Delete`, and a sync by `Prune`.
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
    return isMadeAnew(pair.after)
      ? [{ code: 'object-replaced', severity: 'warning', object, fields }]
      : [{ code: 'sync-fails', severity: 'error', object, fields }];
  });
}

/** The CRDs of charts as well as those among the objects: the index tells of both. */
function definitions({ contents }: ComparedCluster): readonly Consequence[] {
  const { before, after } = contents;
  const found = installedChanges(before.installed ?? NONE, after.installed ?? NONE);
  return found.flatMap(
    ({ name: crd, before: old, after: next, stored, doubtful, unserved, added }): readonly Consequence[] => {
      if (old === undefined) return [{ code: 'crd-added', severity: 'info', crd } as const];
      if (next === undefined) return [{ code: 'crd-removed', severity: 'warning', crd } as const];
      const gone = [...stored, ...doubtful].sort();
      const still = unserved.filter((version) => !gone.includes(version));
      const isStored = stored.length > 0;
      return [
        ...(gone.length === 0
          ? []
          : ([
              {
                code: 'crd-version-removed',
                severity: isStored ? 'error' : 'warning',
                crd,
                versions: gone,
                stored: isStored,
              },
            ] as const)),
        ...(still.length === 0
          ? []
          : [{ code: 'crd-version-unserved', severity: 'warning', crd, versions: still } as const]),
        ...(added.length === 0 ? [] : [{ code: 'crd-version-added', severity: 'info', crd, versions: added } as const]),
      ];
    },
  );
}

const NONE: Installed = { releases: {}, definitions: [] };
