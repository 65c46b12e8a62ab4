import { type ApiObject, Chart, JsonPatch } from 'cdk8s';
import type { Construct } from 'constructs';
import { Cluster } from '../../gitops/tree/cluster';
import { manifest } from '../../gitops/tree/manifest';
import { type SccGrant, sccRoleBinding } from './openshift-sccs';

/**
 * Binds service accounts to SecurityContextConstraints, in the cluster (or plain cdk8s chart) of `scope`, once for all
 * who ask: each part of the mesh does so for its own, and MultusAttach for parts that may come from elsewhere. Returns
 * the bindings.
 */
export function bindSccs(scope: Construct, grants: readonly SccGrant[]): readonly ApiObject[] {
  return grants.map(
    (grant) => boundSoFar(scope, grant) ?? manifest(chartOf(scope), idOf(grant), sccRoleBinding(grant)),
  );
}

/** Binds the service accounts of a part of the mesh that knows its own better than others who bind them. */
export function bindOwnSccs(scope: Construct, grants: readonly SccGrant[]): readonly ApiObject[] {
  for (const grant of grants) {
    boundSoFar(scope, grant)?.addJsonPatch(JsonPatch.replace('/subjects', sccRoleBinding(grant).subjects));
  }
  return bindSccs(scope, grants);
}

function boundSoFar(scope: Construct, grant: SccGrant): ApiObject | undefined {
  return chartOf(scope).node.tryFindChild(idOf(grant)) as ApiObject | undefined;
}

function chartOf(scope: Construct): Chart {
  return Cluster.find(scope) ?? Chart.of(scope);
}

function idOf({ scc, namespace }: SccGrant): string {
  return `scc-${scc}-${namespace}`;
}
