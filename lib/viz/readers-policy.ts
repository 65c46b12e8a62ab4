import { Construct } from 'constructs';
import type { MeshTLSAuthentication } from '../../imports/crds/policy.linkerd.io';
import { manifest } from '../platform/manifest';
import { addAuthorization, POLICY_GROUP, policyMetadata } from './authorization';
import type { ServiceAccountRef } from './prometheus';

/** Who may query Viz' own Prometheus. */
export interface ReadersPolicyProps {
  /** Namespace of the Prometheus. */
  readonly namespace: string;
  /** Workloads that may, any one of them. */
  readonly readers: readonly ServiceAccountRef[];
}

/**
 * Lets other meshed workloads query Viz' own Prometheus, which its chart opens to metrics-api alone.
 *
 * See https://linkerd.io/2-edge/tasks/grafana/ and https://linkerd.io/2-edge/tasks/exporting-metrics/
 */
export class ReadersPolicy extends Construct {
  constructor(scope: Construct, id: string, { namespace, readers }: ReadersPolicyProps) {
    super(scope, id);
    const name = 'prometheus-readers';
    manifest(this, 'authentication', {
      apiVersion: 'policy.linkerd.io/v1alpha1',
      kind: 'MeshTLSAuthentication',
      metadata: policyMetadata(name, namespace),
      spec: { identityRefs: readers.map((reader) => ({ kind: 'ServiceAccount', ...reader })) },
    } satisfies MeshTLSAuthentication);
    addAuthorization(this, {
      name,
      namespace,
      target: { group: POLICY_GROUP, kind: 'Server', name: 'prometheus-admin' },
      client: { group: POLICY_GROUP, kind: 'MeshTLSAuthentication', name },
    });
  }
}
