import type { Construct, IConstruct } from 'constructs';

const HOME = 'cdk8s-linkerd:home-namespace';

/**
 * Says which namespace folder the cluster-scoped objects below `scope` belong to. To be called before `scope` has
 * children.
 */
export function setHomeNamespace(scope: Construct, namespace: string): void {
  scope.node.setContext(HOME, namespace);
}

/** The namespace folder of cluster-scoped objects at `scope`: that of the nearest component, else `default`. */
export function homeNamespaceOf(scope: IConstruct): string {
  return (scope.node.tryGetContext(HOME) as string | undefined) ?? 'default';
}
