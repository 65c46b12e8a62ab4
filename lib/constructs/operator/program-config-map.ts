import { type ApiObject, Chart } from 'cdk8s';
import type { Construct } from 'constructs';
import type { ConfigMap } from '../../../imports/kubernetes';
import bundle from '../../../operator/build/bundle.json';
import { Cluster } from '../../gitops/tree/cluster';
import { manifest } from '../../gitops/tree/manifest';
import { LOADER, LOADER_FILE, PROGRAM_FILE } from './loader';

/** Name of the ConfigMap that carries the operator; the same for every version of it. */
export const PROGRAM_CONFIG_MAP = 'linkerd-reconciler-program';

/** sha256 of the program that it carries. */
export const BUNDLED_SHA256: string = bundle.sha256;

/**
 * The ConfigMap with the operator in a namespace of the cluster (or plain cdk8s chart) of `scope`, made when the first
 * pod there needs it.
 */
export function ensureProgramConfigMap(scope: Construct, namespace: string): ApiObject {
  const chart = Cluster.find(scope) ?? Chart.of(scope);
  const id = `operator-program-${namespace}`;
  const existing = chart.node.tryFindChild(id) as ApiObject | undefined;
  if (existing !== undefined) return existing;
  return manifest(chart, id, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: PROGRAM_CONFIG_MAP, namespace, labels: { 'app.kubernetes.io/part-of': 'linkerd-reconciler' } },
    data: { [LOADER_FILE]: LOADER },
    binaryData: { [PROGRAM_FILE]: bundle.zstd },
  } satisfies ConfigMap);
}
