import { Cpu, Deployment } from 'cdk8s-plus-28';
import { buildCluster } from '#lib/gitops/synth/build-cluster';
import type { Cluster } from '#lib/gitops/tree/cluster';
import { setHomeNamespace } from '#lib/gitops/tree/home-namespace';
import { ignoreFields } from '#lib/gitops/tree/ignored-fields';
import { manifest } from '#lib/gitops/tree/manifest';
import { aheadOfWorkloads, dependsOn } from '#lib/gitops/tree/order';
import { declareReferences } from '#lib/gitops/tree/references';
import { component, configMap, release } from '../../support/cluster-fixture';

/** A change of the basic cluster. */
type Variation = keyof typeof VARIATIONS;

interface Parts {
  readonly one: ReturnType<typeof component>;
  readonly other: ReturnType<typeof component>;
  readonly workload: Deployment;
}

/** Changes that affect the order, the layout or the findings of a cluster. */
const VARIATIONS = {
  nothing: () => {},
  dependency: (_: Cluster, { one, other }: Parts) => dependsOn(one, other),
  cycle: (_: Cluster, { one, other }: Parts) => {
    dependsOn(one, other);
    dependsOn(other, one);
  },
  ahead: (_: Cluster, { other }: Parts) => aheadOfWorkloads(configMap(other, 'early', 'other')),
  home: (_: Cluster, { other }: Parts) => {
    const inner = component(other, 'inner', 'inner');
    setHomeNamespace(inner, 'one');
    clusterRole(inner, 'inner');
  },
  chart: (_: Cluster, { one }: Parts) => release(one, 'second', 'one'),
  ignored: (_: Cluster, { one }: Parts) =>
    ignoreFields(one, [{ group: '', kind: 'ConfigMap', namespace: 'one', name: 'plain', jsonPointers: ['/data'] }]),
  missing: (_: Cluster, { one }: Parts) =>
    declareReferences(one, { requires: [{ kind: 'Secret', namespace: 'one', name: 'absent' }] }),
  provided: (_: Cluster, { one, other }: Parts) => {
    VARIATIONS.missing(_, { one, other } as Parts);
    declareReferences(other, { provides: [{ kind: 'Secret', namespace: 'one', name: 'absent' }] });
  },
  undeclared: (_: Cluster, { one }: Parts) =>
    manifest(one, 'monitor', {
      apiVersion: 'monitoring.coreos.com/v1',
      kind: 'PodMonitor',
      metadata: { name: 'monitor', namespace: 'one' },
      spec: { selector: {}, podMetricsEndpoints: [{ port: 'http' }] },
    } as never),
  duplicate: (_: Cluster, { other }: Parts) => configMap(other, 'plain', 'one'),
  service: (_: Cluster, { workload }: Parts) => workload.exposeViaService({ name: 'workload' }),
} as const;

function clusterRole(scope: Parts['one'], name: string): void {
  manifest(scope, `role-${name}`, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name },
  });
}

function build(cluster: Cluster, variation: Variation): void {
  const one = component(cluster, 'one');
  const other = component(cluster, 'other');
  configMap(one, 'plain', 'one');
  configMap(other, 'plain', 'other');
  release(one, 'first', 'one');
  const workload = new Deployment(one, 'workload', {
    metadata: { name: 'workload', namespace: 'one' },
    containers: [
      { image: 'registry.example.com/app:1.0.0', portNumber: 8080, resources: { cpu: { request: Cpu.millis(10) } } },
    ],
  });
  VARIATIONS[variation](cluster, { one, other, workload });
}

export const NAMES = Object.keys(VARIATIONS) as readonly Variation[];

/** Builds a cluster with a name and a variation, and returns its findings and files. */
export function outputOf(name: string, variation: Variation) {
  const { files, ...output } = buildCluster({ name, props: {}, build: (cluster) => build(cluster, variation) });
  return { ...output, files: [...files] };
}
