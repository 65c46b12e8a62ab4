import { describeObject, type KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { immutableChanges, isRecreated } from '#lib/gitops/changes/immutable-fields';
import { installedChanges } from '#linkerd/releases/definition-changes';
import type { Installed } from '#linkerd/releases/installed';
import { type Consequence, consequence } from './catalogue';
import type { ComparedCluster } from './compared';
import { admissionPolicyOf } from './of-admission';
import { abandonedSecret } from './of-certificates';
import { isConfirmed, removalOf } from './removals';

/**
 * Returns the consequences of how Argo CD and the API server apply the changes: objects that are deleted, kept,
 * refused or recreated, and versions of CRDs.
 */
export function ofSync(cluster: ComparedCluster): readonly Consequence[] {
  return [...removals(cluster), ...fixedFields(cluster), ...definitions(cluster)];
}

function removals(cluster: ComparedCluster): readonly Consequence[] {
  return cluster.changes.removed.flatMap((object): readonly Consequence[] => {
    const removal = removalOf(object, cluster);
    const found = consequence(
      { code: 'object-removed', object: describeObject(object), ...removal },
      removal.outcome === 'kept' ? 'info' : 'warning',
    );
    if (removal.outcome === 'kept') return isConfirmed(removal) && isOfAdmission(object) ? [] : [found];
    return isOfAdmission(object) ? [] : [found, ...abandonedSecret(object)];
  });
}

/** `ofAdmission` reports the removal of a policy and of its bindings. */
function isOfAdmission(object: KubernetesObject): boolean {
  return admissionPolicyOf(object) !== undefined;
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
