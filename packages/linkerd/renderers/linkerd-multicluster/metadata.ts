import { EXTENSION } from '../../annotations';
import type { MulticlusterView } from './multicluster-view';

/** Label of the extension's objects. */
export const MULTICLUSTER = { [EXTENSION]: 'multicluster' };

/** Label of objects that mirror the services of one cluster: the name of its link. */
export const CLUSTER_NAME = 'mirror.linkerd.io/cluster-name';

/** Returns an object's labels: its own, the extension's, and the user's common ones. */
export function labels(
  { commonLabels }: Pick<MulticlusterView, 'commonLabels'>,
  own: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return { ...MULTICLUSTER, ...own, ...commonLabels };
}

/** Returns the labels of a component of the extension. */
export function component(name: string): Record<string, string> {
  return { ...MULTICLUSTER, component: name };
}
