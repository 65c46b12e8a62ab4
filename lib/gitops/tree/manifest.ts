import { ApiObject, type ApiObjectProps, JsonPatch } from 'cdk8s';
import type { Construct } from 'constructs';
import { isClusterScoped } from '#linkerd/api-groups';
import { reviewAtSynth } from './app-review';

/**
 * Adds one Kubernetes object to the tree. Pass it as `{…} satisfies Certificate`, so that the compiler checks it.
 *
 * cdk8s sets the chart's default namespace on every object; this function removes it from cluster-scoped objects.
 */
export function manifest(scope: Construct, id: string, object: ApiObjectProps): ApiObject {
  const apiObject = new ApiObject(scope, id, object);
  if (apiObject.metadata.namespace !== undefined && isClusterScoped(apiObject)) {
    apiObject.addJsonPatch(JsonPatch.remove('/metadata/namespace'));
  }
  reviewAtSynth(apiObject);
  return apiObject;
}
