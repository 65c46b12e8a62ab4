import { isBuiltIn } from './api-groups';
import type { KubernetesObject } from './kubernetes-object';

/** The annotation that sets how Argo CD syncs an object. */
export const SYNC_OPTIONS = 'argocd.argoproj.io/sync-options';

/** The annotation that sets how Argo CD compares an object, or an Application. */
export const COMPARE_OPTIONS = 'argocd.argoproj.io/compare-options';

/** The annotation that sets when Argo CD applies an object within a sync. */
export const SYNC_WAVE = 'argocd.argoproj.io/sync-wave';

/**
 * The sync options of every Application. Namespaces are manifests with labels and annotations, so Argo CD must not
 * create any.
 *
 * By default, Argo CD takes over all fields that `kubectl apply` set without `--server-side`, and removes those that
 * are not in Git: labels of a Namespace, or the image of a DaemonSet if Git has only a part of it (argo-cd v3.5.1,
 * gitops-engine/pkg/sync, performCSAUpgradeMigration). Only an Application can turn this off, not an object.
 *
 * `RespectIgnoreDifferences` must not be one of them (`lib/gitops/argocd/ignore-differences.ts`).
 */
export const APPLICATION_SYNC_OPTIONS: readonly string[] = [
  'CreateNamespace=false',
  'ServerSideApply=true',
  'ClientSideApplyMigration=false',
];

/**
 * Returns the annotations of objects that must outlive their manifests: Argo CD neither prunes them nor deletes them
 * with their Application. Without a manifest they also do not count as a difference, which self-healing would try to
 * fix forever.
 */
export function keepOnPrune(): Record<string, string> {
  return { [COMPARE_OPTIONS]: 'IgnoreExtraneous', [SYNC_OPTIONS]: 'Prune=false,Delete=false' };
}

/** Whether an object is a part of one that another tool created: merged on the server, and never deleted. */
export function isPart(annotations: unknown): boolean {
  const options = (annotations as Readonly<Record<string, unknown>> | null | undefined)?.[SYNC_OPTIONS];
  if (typeof options !== 'string') return false;
  const set = new Set(options.split(',').map((option) => option.trim()));
  return set.has('ServerSideApply=true') && set.has('Delete=false');
}

const SKIP_DRY_RUN = 'SkipDryRunOnMissingResource=true';

/**
 * Returns the object with its annotations for Argo CD: the sync wave, unless it is the default 0; and for a custom
 * resource, no dry run while its CRD is missing, because Argo CD applies the CRD in the same sync.
 */
export function withSyncAnnotations(object: KubernetesObject, wave: number): KubernetesObject {
  const before = object.metadata.annotations ?? {};
  const added: Record<string, string> = {};
  if (wave !== 0) added[SYNC_WAVE] = String(wave);
  const options = before[SYNC_OPTIONS];
  if (!isBuiltIn(object) && !options?.includes('SkipDryRunOnMissingResource=')) {
    added[SYNC_OPTIONS] = options === undefined ? SKIP_DRY_RUN : `${options},${SKIP_DRY_RUN}`;
  }
  if (Object.keys(added).length === 0) return object;
  return { ...object, metadata: { ...object.metadata, annotations: { ...before, ...added } } };
}
