import type { Problem } from '#base/findings/problem';
import { imageReferenceOf } from '#base/image-reference';
import { objectOf } from '#base/is-object';
import { fieldPath, selectFields, textIn } from '#base/select-fields';
import { checkCron } from '#kubernetes/cron';
import { KUBERNETES_FINDINGS } from '#kubernetes/findings/findings';
import { describeObject, type KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { POD_SPEC, podContainers } from '#kubernetes/objects/pod-places';
import { apiGroup } from '#kubernetes/objects/scope';
import { OBJECT_CHECKS } from './findings';
import type { ObjectRule } from './object-rule';

/** Images of Bitnami by all names of Docker Hub, which is also the default registry. */
const BITNAMI = /^(?:(?:index\.|registry-1\.)?docker\.io\/)?bitnami\//;

/** The rule for images of containers. */
export const IMAGES: ObjectRule = { kinds: Object.keys(POD_SPEC), check: checkImages };

/** Checks the images of an object's containers. The API server checks that they are set. */
export function checkImages(object: KubernetesObject): readonly Problem[] {
  return podContainers(object)
    .map(({ field, value }) => ({ container: field, image: textIn(value, 'image') ?? '' }))
    .filter(({ image }) => image !== '')
    .flatMap(({ container, image }): readonly Problem[] => {
      const place = `${describeObject(object)}: ${container}`;
      if (imageReferenceOf(image) === undefined)
        return [KUBERNETES_FINDINGS.imageRefused({ field: 'image', image }, { place })];
      return BITNAMI.test(image) ? [OBJECT_CHECKS.imageAbandoned({ image }, { place })] : [];
    });
}

const JOB_CONTAINERS = new Map(
  ['batch/CronJob', 'batch/Job'].map((kind) => [kind, fieldPath(`${POD_SPEC[kind]}.containers[]`)]),
);

/** The rule for Jobs and CronJobs. */
export const JOB: ObjectRule = { kinds: [...JOB_CONTAINERS.keys()], check: checkJob };

/** Reports problems that keep a Job from running, or from running in the intended order. */
export function checkJob(object: KubernetesObject): readonly Problem[] {
  const containers = JOB_CONTAINERS.get(`${apiGroup(object.apiVersion)}/${object.kind}`);
  if (containers === undefined) return [];
  const name = describeObject(object);
  const { schedule } = objectOf(object.spec);
  const steps = selectFields(object, containers).filter(({ value }) => runsKubectl(value));
  return [
    ...(object.kind === 'CronJob' && typeof schedule === 'string'
      ? checkCron('spec.schedule', schedule).map((problem) => ({ ...problem, place: name }))
      : []),
    ...(steps.length > 1
      ? [
          OBJECT_CHECKS.containersRace({
            job: name,
            containers: steps.map(({ field, value }) => textIn(value, 'name') ?? field).join(' and '),
          }),
        ]
      : []),
  ];
}

function runsKubectl(container: unknown): boolean {
  const { command = [], args = [] } = objectOf(container);
  const words = [command, args].flat().filter((word) => typeof word === 'string');
  if (words.some((word) => /(?:^|[\s/;&|(])kubectl(?:\s|$)/.test(word))) return true;
  return [command].flat().length === 0 && /(?:^|\/)kubectl(?:[:@]|$)/.test(textIn(container, 'image') ?? '');
}

const PODS = new Map(Object.entries(POD_SPEC).map(([kind, spec]) => [kind, fieldPath(spec)]));
const POD_CONTAINERS = ['initContainers[]', 'containers[]'].map((list) => fieldPath(list));

/** The rule for the users of containers. */
export const POD_USER: ObjectRule = { kinds: [...PODS.keys()], check: checkPodUsers };

/**
 * Reports containers that would run as root although they must not: the API server accepts them, but the kubelet does
 * not start them (pkg/kubelet/kuberuntime/security_context.go, verifyRunAsNonRoot).
 */
function checkPodUsers(object: KubernetesObject): readonly Problem[] {
  const pod = PODS.get(`${apiGroup(object.apiVersion)}/${object.kind}`);
  if (pod === undefined) return [];
  return selectFields(object, pod).flatMap(({ field, value }) =>
    POD_CONTAINERS.flatMap((containers) => selectFields(value, containers))
      .filter((container) => isForbiddenRoot(value, container.value))
      .map((container) =>
        OBJECT_CHECKS.rootForbidden({ container: `${describeObject(object)}: ${field}.${container.field}` }),
      ),
  );
}

/** Settings of the container override those of its pod. */
function isForbiddenRoot(pod: unknown, container: unknown): boolean {
  const context = { ...contextOf(pod), ...contextOf(container) };
  return context.runAsNonRoot === true && context.runAsUser === 0;
}

function contextOf(holder: unknown): Readonly<Record<string, unknown>> {
  const context = objectOf(holder).securityContext;
  return objectOf(context);
}
