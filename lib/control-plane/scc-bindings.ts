import { JsonPatch } from 'cdk8s';
import type { Construct } from 'constructs';
import { apiObjectsAround } from '../tree/api-objects';
import { manifest } from '../tree/manifest';
import { type SccGrant, sccRoleBinding } from './openshift-sccs';

/**
 * Binds service accounts to SecurityContextConstraints, unless another construct of the chart has: each part of the mesh
 * emits its own, and MultusAttach those of parts that come from elsewhere.
 */
export function bindSccs(scope: Construct, grants: readonly SccGrant[]): readonly Construct[] {
  return grants
    .filter((grant) => boundSoFar(scope, grant) === undefined)
    .map((grant) => manifest(scope, `scc-${grant.scc}-${grant.serviceAccounts[0]}`, sccRoleBinding(grant)));
}

/** Binds the service accounts of a part of the mesh that knows its own better than who bound them before. */
export function bindOwnSccs(scope: Construct, grants: readonly SccGrant[]): readonly Construct[] {
  for (const grant of grants) {
    boundSoFar(scope, grant)?.addJsonPatch(JsonPatch.replace('/subjects', sccRoleBinding(grant).subjects));
  }
  return bindSccs(scope, grants);
}

function boundSoFar(scope: Construct, grant: SccGrant) {
  const { name } = sccRoleBinding(grant).metadata ?? {};
  return apiObjectsAround(scope).find(
    (object) => object.kind === 'RoleBinding' && object.name === name && object.metadata.namespace === grant.namespace,
  );
}
