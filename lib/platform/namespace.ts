import { type ApiObject, Chart } from 'cdk8s';
import type { Construct } from 'constructs';
import { addRule, type Problem } from '../validation/problem';
import { keepOnPrune } from './argocd/sync-options';
import { Cluster } from './cluster';
import { manifest } from './manifest';

/** What a component wants of a namespace. */
export interface NamespaceMetadata {
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/**
 * The Namespace object of that name in the cluster (or plain cdk8s chart) of `scope`, made when the first component
 * asks for it. Labels and annotations of all who ask add up; two that ask for different values of one key are reported
 * at synth.
 *
 * Argo CD never prunes nor deletes it: a namespace takes all that is in it along.
 */
export function ensureNamespace(scope: Construct, name: string, metadata: NamespaceMetadata = {}): ApiObject {
  const chart = Cluster.find(scope) ?? Chart.of(scope);
  const id = `namespace-${name}`;
  let namespace = chart.node.tryFindChild(id) as ApiObject | undefined;
  if (namespace === undefined) {
    namespace = manifest(chart, id, {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name, annotations: keepOnPrune() },
    });
  }
  const current = namespace.metadata.toJson() as {
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
  };
  const problems: Problem[] = [];
  for (const field of ['labels', 'annotations'] as const) {
    for (const [key, value] of Object.entries(metadata[field] ?? {})) {
      const before = Object.hasOwn(current[field] ?? {}, key) ? current[field]?.[key] : undefined;
      if (before !== undefined && before !== value) {
        problems.push({
          what: `Namespace ${name} is to have ${key}: "${value}", but another construct gave it "${before}"`,
          why: 'Two owners of one key would overwrite each other at every sync',
          fix: `let one construct decide ${key} of this namespace`,
        });
      } else if (field === 'labels') namespace.metadata.addLabel(key, value);
      else namespace.metadata.addAnnotation(key, value);
    }
  }
  if (problems.length > 0) addRule(scope, () => problems);
  return namespace;
}
