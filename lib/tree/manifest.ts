import { ApiObject, type ApiObjectProps, JsonPatch } from 'cdk8s';
import type { Construct, IConstruct } from 'constructs';
import { checkKeyMaterial } from '../kubernetes/key-material';
import { checkPlainObject } from '../kubernetes/plain-data';
import { isClusterScoped } from '../kubernetes/scope';
import { addRule, type Problem } from '../problems/problem';
import { checkByApiRules } from '../schema/schema';
import { Cluster } from './cluster';
import { checkLabels } from './object-metadata';
import { readObject } from './read-object';

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

/**
 * Adds one Kubernetes object to the tree. Pass it as `{…} satisfies Certificate`, so that the compiler checks it.
 *
 * cdk8s gives every object of a chart the chart's default namespace, cluster-scoped ones too; here they stay without.
 */
export function manifest(scope: Construct, id: string, object: ApiObjectProps): ApiObject {
  return asManifest(new ApiObject(scope, id, object));
}

/** Makes of a cdk8s object in the tree what `manifest` adds. */
export function asManifest<T extends ApiObject>(apiObject: T): T {
  const scope = apiObject.node.scope ?? apiObject;
  if (apiObject.metadata.namespace !== undefined && isClusterScoped(apiObject)) {
    apiObject.addJsonPatch(JsonPatch.remove('/metadata/namespace'));
  }
  // A Platform checks all objects of its clusters, those of others included; a plain App checks nothing by itself.
  if (Cluster.find(scope) === undefined) {
    addRule(apiObject, () => (hasProblems(scope) ? [] : checkAlone(apiObject)));
  }
  return apiObject;
}

/** What is wrong with an object, whatever stands beside it. */
function checkAlone(apiObject: ApiObject): readonly Problem[] {
  const read = readObject(apiObject);
  if ('problems' in read) return read.problems;
  const { object } = read;
  const unwritable = checkPlainObject(object);
  if (unwritable.length > 0) return unwritable;
  const problems = [...checkKeyMaterial(object), ...checkByApiRules(object)];
  // These rely on labels being texts, which is the schema's to tell.
  return problems.length > 0 ? problems : checkLabels(object);
}

/** Whether rules of the construct, or of one around it, explain already what is wrong with its objects. */
function hasProblems(scope: IConstruct): boolean {
  return scope.node.scopes.some(({ node }) => node.validate().length > 0);
}
