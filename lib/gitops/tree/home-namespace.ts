import type { Construct, IConstruct } from 'constructs';

const HOME = 'cdk8s-linkerd:home-namespace';

/** Sets the namespace folder of the cluster-scoped objects below `scope`. Call it before `scope` has children. */
export function setHomeNamespace(scope: Construct, namespace: string): void {
  scope.node.setContext(HOME, namespace);
}

/** Returns the namespace folder of cluster-scoped objects at `scope`: that of the nearest component, else `default`. */
export function homeNamespaceOf(scope: IConstruct): string {
  return (scope.node.tryGetContext(HOME) as string | undefined) ?? 'default';
}
