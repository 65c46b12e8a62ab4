import { Construct } from 'constructs';
import type { MeshTLSAuthentication } from '#imports/crds/policy.linkerd.io';
import { POLICY_GROUP } from '#linkerd/api-groups';
import { manifest } from '../../gitops/tree/manifest';
import type { IPreparable } from '../../gitops/tree/prepare';
import { addAuthorization, policyMetadata } from './authorization';
import type { ServiceAccountRef } from './prometheus';

interface ReadersPolicyProps {
  readonly namespace: string;
  readonly readers: readonly ServiceAccountRef[];
}

/**
 * Lets other meshed workloads query Viz's own Prometheus, which the chart of Viz opens only to metrics-api.
 *
 * See https://linkerd.io/2-edge/tasks/grafana/ and https://linkerd.io/2-edge/tasks/exporting-metrics/
 */
export class ReadersPolicy extends Construct implements IPreparable {
  private readonly namespace: string;
  private readonly readers = new Map<string, ServiceAccountRef>();

  constructor(scope: Construct, id: string, { namespace, readers }: ReadersPolicyProps) {
    super(scope, id);
    this.namespace = namespace;
    for (const reader of readers) this.add(reader);
  }

  /** Lets one more workload query Prometheus. */
  add({ namespace, name }: ServiceAccountRef): void {
    this.readers.set(`${namespace}/${name}`, { namespace, name });
  }

  prepare(): void {
    const { namespace } = this;
    const name = 'prometheus-readers';
    manifest(this, 'authentication', {
      apiVersion: 'policy.linkerd.io/v1alpha1',
      kind: 'MeshTLSAuthentication',
      metadata: policyMetadata(name, namespace),
      spec: { identityRefs: [...this.readers.values()].map((reader) => ({ kind: 'ServiceAccount', ...reader })) },
    } satisfies MeshTLSAuthentication);
    addAuthorization(this, {
      name,
      namespace,
      target: { group: POLICY_GROUP, kind: 'Server', name: 'prometheus-admin' },
      client: { group: POLICY_GROUP, kind: 'MeshTLSAuthentication', name },
    });
  }
}
