import type { ApiObject } from 'cdk8s';
import { apiObjectsAround } from '../../platform/api-objects';
import type { KubernetesObject } from '../../validation/kubernetes-object';
import type { Problem } from '../../validation/problem';
import type { Annotations } from '../config/config-annotations';
import type { Mesh } from '../mesh';
import { checkInjectable } from './injection-rules';
import { checkJobEnds, isJob, ownInjection } from './job-end';
import { valueAt } from './json-pointer';

/**
 * What goes wrong when all pods of a namespace are injected: jobs of the same chart that say nothing themselves are
 * injected as well, and may never end. Jobs that a Helm chart brings along are not seen here.
 */
export function checkMeshedNamespace(namespace: ApiObject, mesh: Mesh): readonly Problem[] {
  const json = namespace.toJson() as KubernetesObject;
  const annotations = (valueAt(json, '/metadata/annotations') ?? {}) as Annotations;
  return [
    ...checkInjectable(json),
    ...jobsIn(namespace)
      .filter((job) => ownInjection(job) === undefined)
      .flatMap((job) => checkJobEnds(job, annotations, mesh)),
  ];
}

function jobsIn(namespace: ApiObject): readonly KubernetesObject[] {
  return apiObjectsAround(namespace)
    .filter((object) => isJob(object) && (object.metadata.namespace ?? 'default') === namespace.name)
    .map((object) => object.toJson() as KubernetesObject);
}
