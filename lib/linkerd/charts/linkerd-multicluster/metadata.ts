import { CREATED_BY, EXTENSION } from '../../annotations';
import { createdBy } from '../metadata/created-by';
import type { MulticlusterView } from './multicluster-view';

/** Label of all that belongs to the extension. */
export const MULTICLUSTER = { [EXTENSION]: 'multicluster' };

/** Label of what mirrors the services of one cluster: the name of its link. */
export const CLUSTER_NAME = 'mirror.linkerd.io/cluster-name';

/** The labels of an object: its own, the extension's, and those that the user gives to everything. */
export function labels(
  { commonLabels }: Pick<MulticlusterView, 'commonLabels'>,
  own: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return { ...MULTICLUSTER, ...own, ...commonLabels };
}

/** Labels of what belongs to a component of the extension. */
export function component(name: string): Record<string, string> {
  return { ...MULTICLUSTER, component: name };
}

/** The annotation by which this library signs the objects of the extension. */
export function creator({
  linkerdVersion,
}: MulticlusterView): { readonly [CREATED_BY]?: string } & Record<string, string> {
  return createdBy({ cliVersion: undefined, linkerdVersion });
}
