import { isMap, type Values } from '#base/values';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import type { ClusterFacts } from '../../compare/cluster-contents';
import type { ClusterChanges } from '../changes';
import type { ClusterSide } from '../cluster-side';
import type { Syncing } from './syncing';

/** A cluster in both outputs, with its differences. */
export interface ComparedCluster {
  readonly before: ClusterSide;
  readonly after: ClusterSide;
  readonly contents: Readonly<Record<'before' | 'after', ClusterFacts>>;
  readonly changes: ClusterChanges;
  /** All objects of the later output. */
  readonly objects: () => readonly KubernetesObject[];
  /** All objects of the earlier output. */
  readonly objectsBefore: () => readonly KubernetesObject[];
  /** How Argo CD syncs the cluster; undefined if no ApplicationSet of the output deploys it. */
  readonly syncing: Syncing | undefined;
}

/** An object in both outputs, or in one. */
export interface Pair {
  readonly before: KubernetesObject | undefined;
  readonly after: KubernetesObject | undefined;
}

/** Returns the spec of an object; empty if it is missing or not a map. */
export function specOf(object: KubernetesObject | undefined): Values {
  return isMap(object?.spec) ? object.spec : {};
}

/** Compares grants as strings. */
export function grantChanges(
  before: readonly string[],
  after: readonly string[],
): Readonly<Record<'gained' | 'lost', readonly string[]>> {
  const [old, next] = [new Set(before), new Set(after)];
  return {
    gained: [...next].filter((grant) => !old.has(grant)).sort(),
    lost: [...old].filter((grant) => !next.has(grant)).sort(),
  };
}
