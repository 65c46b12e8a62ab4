import { isKnownGroup } from '../platform/api-groups';
import { apiGroup, isClusterScoped } from '../platform/scope';
import { describeObject, type KubernetesObject } from './kubernetes-object';
import { checkAnnotationKey, checkDnsLabel, checkDnsSubdomain, checkLabelKey, checkLabelValue } from './names';
import type { Problem } from './problem';

/** What Kubernetes would refuse of an object's name, namespace, labels and annotations. */
export function checkMetadata(object: KubernetesObject): readonly Problem[] {
  const { namespace, labels = {}, annotations = {} } = object.metadata;
  const place = describeObject(object);
  return [
    ...checkName(object, place),
    ...(namespace === undefined
      ? checkScope(object, place)
      : checkDnsLabel(`metadata.namespace of ${place}`, namespace)),
    ...Object.entries(labels).flatMap(([key, value]) => [
      ...checkLabelKey(`label of ${place}`, key),
      ...checkLabelValue(`label ${key} of ${place}`, value),
    ]),
    ...Object.keys(annotations).flatMap((key) => checkAnnotationKey(`annotation of ${place}`, key)),
  ];
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
      what: `${field} is "${name}"`,
      why: 'Kubernetes refuses it: the name must fit into a URL, so it has no "/" or "%" and is not "." or ".."',
      fix: 'write ":" or "-" instead',
    },
  ];
}

/** Only of kinds that we know is it certain that they have a namespace. */
function checkScope(object: KubernetesObject, place: string): readonly Problem[] {
  if (isClusterScoped(object) || !isKnownGroup(apiGroup(object.apiVersion))) return [];
  return [
    {
      what: `${place} has no namespace`,
      why: 'It would go into whatever namespace it happens to be applied to',
      fix: 'set metadata.namespace',
    },
  ];
}
