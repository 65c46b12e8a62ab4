import { isBuiltIn } from './api-groups';
import type { KubernetesObject } from './kubernetes-object';
import { SYNC_OPTIONS, SYNC_WAVE } from './sync-options';

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
