import type { ApiObject } from 'cdk8s';
import type { IConstruct } from 'constructs';

const DEPENDS_ON = 'cdk8s-linkerd:depends-on';
const AHEAD = 'cdk8s-linkerd:ahead-of-folder';
const AHEAD_IN_ORDER = 'cdk8s-linkerd:ahead-in-order';

/**
 * Says that everything below `scope` must be in the cluster after everything below `others`.
 *
 * Not `node.addDependency`: cdk8s copies that to every pair of objects and walks all paths between them, which takes
 * half a minute for eight chained components of twelve objects.
 */
export function dependsOn(scope: IConstruct, ...others: readonly (IConstruct | undefined)[]): void {
  for (const other of others) {
    if (other !== undefined) scope.node.addMetadata(DEPENDS_ON, other);
  }
}

/** The constructs that `scope` itself (not its ancestors) depends on, cdk8s' own dependencies included. */
export function dependenciesOf(scope: IConstruct): readonly IConstruct[] {
  const own = scope.node.metadata.filter((entry) => entry.type === DEPENDS_ON).map((entry) => entry.data as IConstruct);
  return [...own, ...scope.node.dependencies];
}

/**
 * Says that an object must be in the cluster before all else in its folder: what it is about may be any of that. Nothing
 * holds it back, so it must do with nothing.
 */
export function aheadOfFolder(object: ApiObject): void {
  object.node.addMetadata(AHEAD, true);
}

/** Tells objects that must be in the cluster before all else in their folder. */
export function isAheadOfFolder(construct: IConstruct): boolean {
  return construct.node.metadata.some(({ type }) => type === AHEAD);
}

/**
 * Says that an object must be in the cluster before the workloads of its folder, and the folder still after what the
 * object depends on: Argo CD waits for workloads before it goes on, and they may wait for it.
 */
export function aheadOfWorkloads(object: ApiObject): void {
  object.node.addMetadata(AHEAD_IN_ORDER, true);
}

/** Tells objects that must be in the cluster before the workloads of their folders. */
export function isAheadOfWorkloads(construct: IConstruct): boolean {
  return construct.node.metadata.some(({ type }) => type === AHEAD_IN_ORDER);
}
