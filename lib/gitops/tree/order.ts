import type { ApiObject } from 'cdk8s';
import type { IConstruct } from 'constructs';

const DEPENDS_ON = 'cdk8s-linkerd:depends-on';
const AHEAD = 'cdk8s-linkerd:ahead-of-folder';
const AHEAD_IN_ORDER = 'cdk8s-linkerd:ahead-in-order';

/**
 * Orders everything below `scope` after everything below `others` in the cluster.
 *
 * Not `node.addDependency`: cdk8s copies a dependency to every pair of objects and walks all paths between them, which
 * takes half a minute for eight chained components of twelve objects.
 */
export function dependsOn(scope: IConstruct, ...others: readonly (IConstruct | undefined)[]): void {
  for (const other of others) {
    if (other !== undefined) scope.node.addMetadata(DEPENDS_ON, other);
  }
}

/** Returns the constructs on which `scope` itself (not its ancestors) depends, including cdk8s' own dependencies. */
export function dependenciesOf(scope: IConstruct): readonly IConstruct[] {
  const own = scope.node.metadata.filter((entry) => entry.type === DEPENDS_ON).map((entry) => entry.data as IConstruct);
  return [...own, ...scope.node.dependencies];
}

/**
 * Orders an object before all others in its folder, because it may apply to any of them. It must not have dependencies.
 */
export function aheadOfFolder(object: ApiObject): void {
  object.node.addMetadata(AHEAD, true);
}

/** Whether an object comes before all others in its folder. */
export function isAheadOfFolder(construct: IConstruct): boolean {
  return construct.node.metadata.some(({ type }) => type === AHEAD);
}

/**
 * Orders an object before the workloads of its folder; the whole folder still follows the object's dependencies. Argo
 * CD waits for workloads before it proceeds, and they may wait for the object.
 */
export function aheadOfWorkloads(object: ApiObject): void {
  object.node.addMetadata(AHEAD_IN_ORDER, true);
}

/** Whether an object comes before the workloads of its folder. */
export function isAheadOfWorkloads(construct: IConstruct): boolean {
  return construct.node.metadata.some(({ type }) => type === AHEAD_IN_ORDER);
}
