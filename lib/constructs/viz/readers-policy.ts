import { type ApiObject, JsonPatch } from 'cdk8s';
import { Construct } from 'constructs';
import type { MeshTLSAuthentication } from '../../../imports/crds/policy.linkerd.io';
import { manifest } from '../../gitops/tree/manifest';
import { addAuthorization, POLICY_GROUP, policyMetadata } from './authorization';
import type { ServiceAccountRef } from './prometheus';

/** Props of ReadersPolicy. */
export interface ReadersPolicyProps {
  /** Namespace of the Prometheus. */
  readonly namespace: string;
  /** Workloads that may query it, any one of them. */
  readonly readers: readonly ServiceAccountRef[];
}

/**
 * Lets other meshed workloads query Viz' own Prometheus, which its chart opens to metrics-api alone.
 *
 * See https://linkerd.io/2-edge/tasks/grafana/ and https://linkerd.io/2-edge/tasks/exporting-metrics/
 */
export class ReadersPolicy extends Construct {
  private readonly authentication: ApiObject;
  private readonly known = new Set<string>();

  constructor(scope: Construct, id: string, { namespace, readers }: ReadersPolicyProps) {
    super(scope, id);
    const name = 'prometheus-readers';
    this.authentication = manifest(this, 'authentication', {
      apiVersion: 'policy.linkerd.io/v1alpha1',
      kind: 'MeshTLSAuthentication',
      metadata: policyMetadata(name, namespace),
      spec: { identityRefs: [] },
    } satisfies MeshTLSAuthentication);
    addAuthorization(this, {
      name,
      namespace,
      target: { group: POLICY_GROUP, kind: 'Server', name: 'prometheus-admin' },
      client: { group: POLICY_GROUP, kind: 'MeshTLSAuthentication', name },
    });
    for (const reader of readers) this.add(reader);
  }

  /** Lets one more workload query it. */
  add({ namespace, name }: ServiceAccountRef): void {
    const key = `${namespace}/${name}`;
    if (this.known.has(key)) return;
    this.known.add(key);
    this.authentication.addJsonPatch(
      JsonPatch.add('/spec/identityRefs/-', { kind: 'ServiceAccount', namespace, name }),
    );
  }
}
