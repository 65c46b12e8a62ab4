import type { KubernetesObject } from '../../../kubernetes/kubernetes-object';
import type { ClusterFacts } from '../../compare/cluster-contents';
import type { ClusterChanges } from '../changes';
import type { ClusterSide } from '../cluster-side';
import type { Syncing } from './syncing';

/** Two outputs of a cluster that has both, and what of them differs. */
export interface ComparedCluster {
  readonly before: ClusterSide;
  readonly after: ClusterSide;
  readonly contents: Readonly<Record<'before' | 'after', ClusterFacts>>;
  readonly changes: ClusterChanges;
  /** All objects of the later output. */
  readonly objects: () => readonly KubernetesObject[];
  /** All objects of the earlier output. */
  readonly objectsBefore: () => readonly KubernetesObject[];
  /** The way in which Argo CD syncs the cluster; undefined where the output does not say. */
  readonly syncing: Syncing | undefined;
}
