import type { ApiObject } from 'cdk8s';
import { jsonOf, objectsAround } from '../../gitops/tree/api-objects';
import type { Problem } from '../../kubernetes/findings/problem';
import { valueAt } from '../../kubernetes/json-pointer';
import type { KubernetesObject } from '../../kubernetes/kubernetes-object';
import { PROXY_ADDITIONAL_ENV } from '../../linkerd/annotations';
import type { Annotations } from './config/config-annotations';
import { MESHING_FINDINGS } from './findings';
import { checkInjectable } from './injection-rules';
import { checkJobEnds, isJob, ownInjection } from './job-end';
import type { Mesh } from './mesh';

/**
 * Reports what goes wrong when all pods of a namespace are injected: jobs of the same chart that say nothing themselves
 * are injected as well, and may never end. Jobs that a Helm chart brings along are not seen here.
 */
export function checkMeshedNamespace(namespace: ApiObject, mesh: Mesh): readonly Problem[] {
  const [json] = jsonOf(namespace);
  if (json === undefined) return [];
  const annotations = (valueAt(json, '/metadata/annotations') ?? {}) as Annotations;
  return [
    ...checkInjectable(json),
    ...checkCopied(annotations),
    ...jobsIn(namespace)
      .filter((job) => ownInjection(job) === undefined)
      .flatMap((job) => checkJobEnds(job, annotations, mesh)),
  ];
}

/** Settings that the injector copies from a namespace to its pods, as text between quotes. */
const COPIED = /^config\.(?:alpha\.)?linkerd\.io\//;

/**
 * Annotations of a namespace with which the injector could write no patch (linkerd2,
 * charts/patch/templates/patch.json).
 */
function checkCopied(annotations: Annotations): readonly Problem[] {
  return Object.entries(annotations)
    .filter(([key, text]) => COPIED.test(key) && /["\\\p{Cc}]/u.test(text))
    .map(([key]) =>
      MESHING_FINDINGS.annotationNotCopyable({
        annotation: key,
        remedy:
          key === PROXY_ADDITIONAL_ENV
            ? 'give proxy.env to the workloads, or set proxy.additionalEnv in the values of LinkerdControlPlane'
            : 'write it without them, or give it to the workloads',
      }),
    );
}

function jobsIn(namespace: ApiObject): readonly KubernetesObject[] {
  return objectsAround(namespace)
    .filter((object) => isJob(object) && (object.namespace ?? 'default') === namespace.name)
    .flatMap(({ json }) => json());
}
