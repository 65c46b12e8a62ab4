import type { Problem } from '../findings/problem';
import { describeObject, type KubernetesObject } from '../kubernetes-object';
import { POD_SPEC } from '../pod-spec';
import { apiGroup } from '../scope';
import { fieldPath, isObject, selectFields } from '../select-fields';
import { OBJECT_CHECKS } from './findings';
import type { ObjectRule } from './object-rule';

const PODS = new Map(Object.entries(POD_SPEC).map(([kind, spec]) => [kind, fieldPath(spec)]));
const CONTAINERS = ['initContainers[]', 'containers[]'].map((list) => fieldPath(list));

/** The rule for the users of containers. */
export const POD_USER: ObjectRule = { kinds: [...PODS.keys()], check: checkPodUsers };

/**
 * Checks that no container is to run as root that must not: the API server takes it, and the kubelet starts none
 * (pkg/kubelet/kuberuntime/security_context.go, verifyRunAsNonRoot).
 */
function checkPodUsers(object: KubernetesObject): readonly Problem[] {
  const pod = PODS.get(`${apiGroup(object.apiVersion)}/${object.kind}`);
  if (pod === undefined) return [];
  return selectFields(object, pod).flatMap(({ field, value }) =>
    CONTAINERS.flatMap((containers) => selectFields(value, containers))
      .filter((container) => isForbiddenRoot(value, container.value))
      .map((container) =>
        OBJECT_CHECKS.rootForbidden({ container: `${describeObject(object)}: ${field}.${container.field}` }),
      ),
  );
}

/** Tells whether a container is to run as root and must not; its own settings count more than those of its pod. */
function isForbiddenRoot(pod: unknown, container: unknown): boolean {
  const context = { ...contextOf(pod), ...contextOf(container) };
  return context.runAsNonRoot === true && context.runAsUser === 0;
}

function contextOf(holder: unknown): Readonly<Record<string, unknown>> {
  const context = isObject(holder) ? holder.securityContext : undefined;
  return isObject(context) ? context : {};
}
