import type { Problem } from '#base/findings/problem';
import { KUBERNETES_FINDINGS } from '#kubernetes/findings/findings';
import {
  checkAnnotationKey,
  checkDnsLabel,
  checkDnsSubdomain,
  checkLabelKey,
  checkLabelValue,
} from '#kubernetes/names';
import { describeObject, type KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { apiGroup } from '#kubernetes/objects/scope';
import { hasSchema } from '#kubernetes/schemas/schema';
import { OBJECT_CHECKS } from './findings';
import type { ObjectRule } from './object-rule';

/** Reports names, namespaces, labels and annotations of an object that Kubernetes would refuse. */
export function checkMetadata(object: KubernetesObject): readonly Problem[] {
  const { namespace } = object.metadata;
  const problems = [
    ...checkName(object),
    ...(namespace === undefined ? [] : checkDnsLabel('metadata.namespace', namespace)),
    ...checkLabels(object),
  ];
  return problems.map((problem) => ({ ...problem, place: describeObject(object) }));
}

/** The rule for names, labels and annotations. */
export const METADATA: ObjectRule = { kinds: 'any', check: checkMetadata };

/**
 * Maximum size of all annotations of an object in bytes (k8s.io/apimachinery/pkg/api/validation,
 * TotalAnnotationSizeLimitB).
 */
const MAX_ANNOTATIONS = 256 * 1024;

function checkLabels(object: KubernetesObject): readonly Problem[] {
  const labels = object.metadata.labels ?? {};
  const annotations = object.metadata.annotations ?? {};
  const size = annotationBytes(annotations);
  return [
    ...Object.entries(labels).flatMap(([key, value]) => [
      ...checkLabelKey('label', key),
      ...(typeof value === 'string' || !hasSchema(object) ? checkLabelText(`label ${key}`, value) : []),
    ]),
    ...Object.keys(annotations).flatMap((key) => checkAnnotationKey('annotation', key)),
    ...(size > MAX_ANNOTATIONS ? [OBJECT_CHECKS.metadataRefusedSize({ size, most: MAX_ANNOTATIONS })] : []),
  ];
}

/** Checks the value of a label. The schemas of known kinds report other types than strings. */
function checkLabelText(field: string, value: unknown): readonly Problem[] {
  if (typeof value === 'string') return checkLabelValue(field, value);
  return [
    OBJECT_CHECKS.metadataRefusedType({
      field,
      value: JSON.stringify(value),
      suggestion: JSON.stringify(`${value}`),
    }),
  ];
}

/** Returns the size in UTF-8, including keys. */
function annotationBytes(annotations: Readonly<Record<string, unknown>>): number {
  let size = 0;
  for (const [key, text] of Object.entries(annotations)) {
    size += Buffer.byteLength(key) + (typeof text === 'string' ? Buffer.byteLength(text) : 0);
  }
  return size;
}

/** Names of Services and Namespaces are DNS labels, names of RBAC objects path segments, all others DNS names. */
function checkName(object: KubernetesObject): readonly Problem[] {
  const { name } = object.metadata;
  const group = apiGroup(object.apiVersion);
  const field = 'metadata.name';
  if (group === 'rbac.authorization.k8s.io') return checkPathSegment(field, name);
  if (group === '' && object.kind === 'Service')
    return [...checkDnsLabel(field, name), ...checkFirstLetter(field, name)];
  return group === '' && object.kind === 'Namespace' ? checkDnsLabel(field, name) : checkDnsSubdomain(field, name);
}

/** Services follow the older RFC 1035, in which names start with a letter (apimachinery, IsDNS1035Label). */
function checkFirstLetter(field: string, name: string): readonly Problem[] {
  if (!/^[0-9]/.test(name)) return [];
  return [KUBERNETES_FINDINGS.nameInvalidFirstLetter({ field, value: `"${name}"`, proposed: `s${name}` })];
}

/** RBAC objects may have any name that is valid in a URL (k8s.io/apimachinery/pkg/api/validation/path). */
function checkPathSegment(field: string, name: string): readonly Problem[] {
  if (name !== '' && name !== '.' && name !== '..' && !/[/%]/.test(name)) return [];
  return [KUBERNETES_FINDINGS.nameInvalidPathSegment({ field, value: `"${name}"` })];
}
