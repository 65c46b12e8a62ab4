import type { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { ClusterIssuer } from '../../../imports/crds/cert-manager.io';
import { manifest } from '../../gitops/tree/manifest';

/** A ClusterIssuer that signs with the CA in a Secret of cert-manager's namespace. */
export function caClusterIssuer(
  scope: Construct,
  name: string,
  secretName: string,
  annotations?: Readonly<Record<string, string>>,
): ApiObject {
  return manifest(scope, 'cluster-issuer', {
    apiVersion: 'cert-manager.io/v1',
    kind: 'ClusterIssuer',
    metadata: { name, ...(annotations !== undefined && { annotations }) },
    spec: { ca: { secretName } },
  } satisfies ClusterIssuer);
}
