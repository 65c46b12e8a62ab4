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
