import type { ApiObject, ApiObjectProps } from 'cdk8s';
import type { Construct } from 'constructs';
import { manifest } from '../../gitops/tree/manifest';
import { keepOnPrune, SYNC_OPTIONS } from '../../kubernetes/sync-options';

/**
 * Returns the options by which Argo CD applies a part of an object: on the server, which merges it into what is there
 * (https://argo-cd.readthedocs.io/en/stable/user-guide/sync-options/#server-side-apply); and never deleting the object,
 * which belongs to someone else.
 */
function partOptions(): Record<string, string> {
  const kept = keepOnPrune();
  return { ...kept, [SYNC_OPTIONS]: ['ServerSideApply=true', kept[SYNC_OPTIONS]].join(',') };
}

/** Props of patchLive: the object, and the part of it that is to be different. */
export interface LivePatchProps extends Pick<ApiObjectProps, 'apiVersion' | 'kind'> {
  readonly name: string;
  readonly namespace: string;
  /** The fields that are to be different, and those that every spec of the kind has to have, as they are. */
  readonly spec: object;
}

/**
 * Changes an object that something else has put into the cluster: emits the part of it that is to be different.
 *
 * - While the object does not exist the API server refuses the part, and Argo CD tries again.
 * - Lists merge by the key that Kubernetes has for them (the name, of containers and environment variables).
 * - Fields can be set, not removed: Kubernetes takes away only what the same field manager has set before. Once the part
 *   is gone from Git the object keeps it, as Argo CD prunes nothing here.
 * - Only for objects that no other Argo CD Application has: two would take them from each other.
 */
export function patchLive(scope: Construct, id: string, { name, namespace, spec, ...type }: LivePatchProps): ApiObject {
  return manifest(scope, id, {
    ...type,
    metadata: { name, namespace, annotations: partOptions() },
    spec,
  });
}
