import { isBuiltIn } from './api-groups';
import type { KubernetesObject } from './kubernetes-object';

/** The annotation by which an object tells Argo CD how to sync it. */
export const SYNC_OPTIONS = 'argocd.argoproj.io/sync-options';

/** The annotation by which an object, or an Application, tells Argo CD how to compare it. */
export const COMPARE_OPTIONS = 'argocd.argoproj.io/compare-options';

/** The annotation by which an object tells Argo CD when within a sync to apply it. */
export const SYNC_WAVE = 'argocd.argoproj.io/sync-wave';

/**
 * The sync options of every Application. Namespaces are manifests with labels and annotations, so Argo CD is to make
 * none.
 */
export const APPLICATION_SYNC_OPTIONS: readonly string[] = ['CreateNamespace=false', 'ServerSideApply=true'];

/**
 * Returns the annotations of what must outlive its manifest: Argo CD neither prunes it nor deletes it with its
 * Application. Without its manifest it also does not count as a difference, which self-healing would try to mend for
 * ever.
 */
export function keepOnPrune(): Record<string, string> {
  return { [COMPARE_OPTIONS]: 'IgnoreExtraneous', [SYNC_OPTIONS]: 'Prune=false,Delete=false' };
}

/**
 * Tells whether an object is a part of one that someone else has put into the cluster: merged on the server, and never
 * deleted.
 */
export function isPart(annotations: unknown): boolean {
  const options = (annotations as Readonly<Record<string, unknown>> | null | undefined)?.[SYNC_OPTIONS];
  if (typeof options !== 'string') return false;
  const set = new Set(options.split(',').map((option) => option.trim()));
  return set.has('ServerSideApply=true') && set.has('Delete=false');
}

const SKIP_DRY_RUN = 'SkipDryRunOnMissingResource=true';

/**
 * The object as Argo CD is to sync it: with its wave, unless that is 0, which is what Argo CD assumes; and, if it is a
 * custom resource, without a dry run while its CRD is missing, because the CRD arrives in the same sync.
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
