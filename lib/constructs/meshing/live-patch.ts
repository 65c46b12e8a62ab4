import type { ApiObject, ApiObjectProps } from 'cdk8s';
import type { Construct } from 'constructs';
import { manifest } from '../../gitops/tree/manifest';
import { keepOnPrune, SYNC_OPTIONS } from '../../kubernetes/sync-options';

/**
 * Returns the options with which Argo CD applies a part of an object: on the server, which merges it into the existing
 * object (https://argo-cd.readthedocs.io/en/stable/user-guide/sync-options/#server-side-apply); and without ever
 * deleting the object, which has another owner.
 */
function partOptions(): Record<string, string> {
  const kept = keepOnPrune();
  return { ...kept, [SYNC_OPTIONS]: ['ServerSideApply=true', kept[SYNC_OPTIONS]].join(',') };
}

/** Props of patchLive: the object, and the part of it to change. */
export interface LivePatchProps extends Pick<ApiObjectProps, 'apiVersion' | 'kind'> {
  readonly name: string;
  readonly namespace: string;
  /** The fields to change, and those that every spec of the kind requires, unchanged. */
  readonly spec: object;
}

/**
 * Changes an object that was created by another tool: emits only the part to change.
 *
 * - While the object does not exist, the API server refuses the part, and Argo CD retries.
 * - Lists are merged by the key that Kubernetes defines for them (the name, for containers and environment variables).
 * - Fields can be set, not removed: Kubernetes removes only what the same field manager has set before. When the part
 *   is removed from Git the object keeps it, because Argo CD prunes nothing here.
 * - Only for objects that are in no other Argo CD Application: two would fight over them. Nor for objects that `kubectl
 *   apply` created without `--server-side`, as long as they have its annotation `last-applied-configuration`: whoever
 *   applies on the server takes over all that it has set, and removes what the part does not have (kubectl,
 *   migrateToSSAIfNecessary).
 */
export function patchLive(scope: Construct, id: string, { name, namespace, spec, ...type }: LivePatchProps): ApiObject {
  return manifest(scope, id, {
    ...type,
    metadata: { name, namespace, annotations: partOptions() },
    spec,
  });
}
