import type { Problem } from '#base/findings/problem';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { OBJECT_CHECKS } from './findings';

// As the API server checks CustomResourceDefinitions: DNS names, with upper-case letters in kinds.
const GROUP = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;
const VERSION = /^[a-z](?:[-a-z0-9]*[a-z0-9])?$/;
const KIND = /^[A-Za-z](?:[-A-Za-z0-9]*[A-Za-z0-9])?$/;
const MAX_LABEL = 63;
const MAX_GROUP = 253;

/**
 * Checks that an object has a type. The name of its file depends on it, so an object without one is not checked
 * further.
 */
export function checkType(object: Partial<Pick<KubernetesObject, 'apiVersion' | 'kind'>>): readonly Problem[] {
  const { apiVersion, kind } = object;
  return [
    ...(isApiVersion(apiVersion) ? [] : [refused('apiVersion', apiVersion, 'v1 or group/version: "apps/v1"')]),
    ...(isShort(kind, MAX_LABEL) && KIND.test(kind) ? [] : [refused('kind', kind, 'one word: "ConfigMap"')]),
  ];
}

/**
 * Checks that an object's name and namespace are strings. cdk8s names every object, but a patch may have removed the
 * name.
 */
export function checkPlace({
  kind,
  metadata,
}: Partial<Pick<KubernetesObject, 'kind' | 'metadata'>>): readonly Problem[] {
  const { name, namespace }: Readonly<Record<string, unknown>> = metadata ?? {};
  if (typeof name !== 'string') {
    return [OBJECT_CHECKS.objectIncompleteName({ kind: String(kind) })];
  }
  if (namespace === undefined || typeof namespace === 'string') return [];
  return [
    OBJECT_CHECKS.metadataRefusedType({
      field: `metadata.namespace of ${kind} ${name}`,
      value: JSON.stringify(namespace),
      suggestion: JSON.stringify(`${namespace}`),
    }),
  ];
}

function isApiVersion(apiVersion: unknown): boolean {
  if (typeof apiVersion !== 'string') return false;
  const [version = '', group, ...more] = apiVersion.split('/').reverse();
  if (more.length > 0 || !isShort(version, MAX_LABEL) || !VERSION.test(version)) return false;
  return group === undefined || (isShort(group, MAX_GROUP) && GROUP.test(group));
}

function isShort(text: unknown, maxLength: number): text is string {
  return typeof text === 'string' && text.length <= maxLength;
}

function refused(field: string, value: unknown, form: string): Problem {
  return OBJECT_CHECKS.kindUnknownType({ field, value: JSON.stringify(value) ?? 'missing', form });
}
