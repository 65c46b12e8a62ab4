import { violationOf } from '../../../operator/api/kubernetes/violation';
import type { Problem } from '../findings/problem';
import { describeObject, type KubernetesObject } from '../kubernetes-object';
import { checkAnnotationKey, checkDnsLabel, checkDnsSubdomain, checkLabelKey, checkLabelValue } from '../names';
import { hasSchema } from '../schemas/schema';
import { apiGroup } from '../scope';
import type { ObjectRule } from './object-rule';

/** Reports what Kubernetes would refuse of an object's name, namespace, labels and annotations. */
export function checkMetadata(object: KubernetesObject): readonly Problem[] {
  const { namespace } = object.metadata;
  const place = describeObject(object);
  return [
    ...checkName(object, place),
    ...(namespace === undefined ? [] : checkDnsLabel(`metadata.namespace of ${place}`, namespace)),
    ...checkLabels(object),
  ];
}

/** The rule for names, labels and annotations. */
export const METADATA: ObjectRule = { kinds: 'any', check: checkMetadata };

/** Most bytes of all annotations of an object (k8s.io/apimachinery/pkg/api/validation, TotalAnnotationSizeLimitB). */
const MAX_ANNOTATIONS = 256 * 1024;

/** Reports what Kubernetes would refuse of an object's labels and annotations. */
function checkLabels(object: KubernetesObject): readonly Problem[] {
  const labels = object.metadata.labels ?? {};
  const annotations = object.metadata.annotations ?? {};
  const place = describeObject(object);
  const size = annotationBytes(annotations);
  return [
    ...Object.entries(labels).flatMap(([key, value]) => [
      ...checkLabelKey(`label of ${place}`, key),
      ...(typeof value === 'string' || !hasSchema(object) ? checkLabelText(`label ${key} of ${place}`, value) : []),
    ]),
    ...Object.keys(annotations).flatMap((key) => checkAnnotationKey(`annotation of ${place}`, key)),
    ...(size > MAX_ANNOTATIONS
      ? [
          {
            code: 'annotations-too-large',
            what: `metadata.annotations of ${place} are ${size} bytes`,
            why: `Kubernetes refuses it: all annotations of an object together are at most ${MAX_ANNOTATIONS} bytes`,
            fix: 'put the text into a ConfigMap',
          },
        ]
      : []),
  ];
}

/** In untyped code it may be anything, which the schemas of known kinds tell. */
function checkLabelText(field: string, value: unknown): readonly Problem[] {
  if (typeof value === 'string') return checkLabelValue(field, value);
  return [
    {
      code: 'label-not-text',
      violates: violationOf('form', value),
      what: `${field} is ${JSON.stringify(value)}, which is no text`,
      why: 'The API server refuses the object: the value of a label is a text',
      fix: `write it as a text: ${JSON.stringify(`${value}`)}`,
    },
  ];
}

/** The size of annotations in UTF-8, keys included. */
function annotationBytes(annotations: Readonly<Record<string, unknown>>): number {
  let size = 0;
  for (const [key, text] of Object.entries(annotations)) {
    size += Buffer.byteLength(key) + (typeof text === 'string' ? Buffer.byteLength(text) : 0);
  }
  return size;
}

/** Names of Services and Namespaces become DNS labels; those of RBAC objects are free; all others are DNS names. */
function checkName(object: KubernetesObject, place: string): readonly Problem[] {
  const { name } = object.metadata;
  const group = apiGroup(object.apiVersion);
  const field = `metadata.name of ${place}`;
  if (group === 'rbac.authorization.k8s.io') return checkPathSegment(field, name);
  if (group === '' && object.kind === 'Service')
    return [...checkDnsLabel(field, name), ...checkFirstLetter(field, name)];
  return group === '' && object.kind === 'Namespace' ? checkDnsLabel(field, name) : checkDnsSubdomain(field, name);
}

/** Services follow the older RFC 1035, in which names start with a letter (apimachinery, IsDNS1035Label). */
function checkFirstLetter(field: string, name: string): readonly Problem[] {
  if (!/^[0-9]/.test(name)) return [];
  return [
    {
      code: 'service-name-refused',
      violates: violationOf('form', name),
      what: `${field} is "${name}"`,
      why: 'Kubernetes refuses it: the name of a Service starts with a letter',
      fix: `write it as "s${name}" or in other words`,
    },
  ];
}

/** RBAC objects may have any name that can stand in a URL (k8s.io/apimachinery/pkg/api/validation/path). */
function checkPathSegment(field: string, name: string): readonly Problem[] {
  if (name !== '' && name !== '.' && name !== '..' && !/[/%]/.test(name)) return [];
  return [
    {
      code: 'object-name-refused',
      violates: violationOf('form', name),
      what: `${field} is "${name}"`,
      why: 'Kubernetes refuses it: the name must fit into a URL, so it has no "/" or "%" and is not "." or ".."',
      fix: 'write ":" or "-" instead',
    },
  ];
}
