import type { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { Problem } from '#base/findings/problem';
import { keepOnPrune } from '#kubernetes/objects/argocd-annotations';
import { addRule } from './add-rule';
import { TREE_FINDINGS } from './findings';
import { manifest } from './manifest';
import { meshScopeOf } from './mesh-scope';

/** The labels and annotations that a component needs on a namespace. */
export interface NamespaceMetadata {
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/**
 * Returns the Namespace object of that name in the cluster (or plain cdk8s chart) of `scope`, created on the first
 * call. Labels and annotations of all callers add up; different values for one key are reported at synth.
 *
 * Argo CD never prunes or deletes it, because that would delete everything in the namespace.
 */
export function ensureNamespace(scope: Construct, name: string, metadata: NamespaceMetadata = {}): ApiObject {
  const chart = meshScopeOf(scope);
  const id = `namespace-${name}`;
  let namespace = chart.node.tryFindChild(id) as ApiObject | undefined;
  if (namespace === undefined) {
    namespace = manifest(chart, id, {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name, annotations: keepOnPrune() },
    });
  }
  const problems = addMetadata(namespace, name, metadata);
  if (problems.length > 0) addRule(scope, () => problems);
  return namespace;
}

/** Adds labels and annotations. A different existing value stays, and is returned as a problem. */
function addMetadata({ metadata }: ApiObject, name: string, added: NamespaceMetadata): readonly Problem[] {
  const current = metadata.toJson() as Required<NamespaceMetadata>;
  return (['labels', 'annotations'] as const).flatMap((field) => {
    const known = new Map(Object.entries(current[field] ?? {}));
    return Object.entries(added[field] ?? {}).flatMap(([key, value]) => {
      const before = known.get(key) ?? value;
      if (before !== value) {
        return [TREE_FINDINGS.namespaceMetadataContested({ namespace: name, key, value, other: before })];
      }
      if (field === 'labels') metadata.addLabel(key, value);
      else metadata.addAnnotation(key, value);
      return [];
    });
  });
}
