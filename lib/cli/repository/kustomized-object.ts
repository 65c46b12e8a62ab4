import { isObject, objectOf } from '#base/is-object';
import { isMap, type Values } from '#base/values';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { isClusterScoped } from '#linkerd/api-groups';
import { listAt, mapAt, text } from './sources/source';

type Fields = Readonly<Record<string, unknown>>;

/** The changes by fields of a kustomization, in the order in which Kustomize applies them. */
export const CHANGES = {
  beforeJsonPatches: [
    (object, { namespace }) => inNamespace(object, text(namespace)),
    (object, data) => labelsOf(data).reduce(withLabels, object),
    (object, data) => withAnnotations(object, mapAt(data, 'commonAnnotations')),
  ],
  afterJsonPatches: [
    (object, data, original) => withReplicas(object, listAt(data, 'replicas'), original),
    (object, data) => withImages(object, listAt(data, 'images')),
  ],
} as const satisfies Readonly<Record<string, readonly Change[]>>;

const ALL = Object.values(CHANGES).flat();

/** A change that a kustomization makes to an object. */
export type Change = (object: KubernetesObject, kustomization: Values, original: KubernetesObject) => KubernetesObject;

/** Returns an object as a kustomization changes it: its namespace, labels, annotations, images and replicas. */
export function changedBy(
  object: KubernetesObject,
  kustomization: Values,
  {
    changes = ALL,
    original = object,
  }: { readonly changes?: readonly Change[]; readonly original?: KubernetesObject } = {},
): KubernetesObject {
  // The rules report an object without these fields.
  if (typeof object.apiVersion !== 'string' || typeof object.kind !== 'string') return object;
  return changes.reduce((before, change) => change(before, kustomization, original), object);
}

/** Kustomize replaces the namespace of an object, and the name of a Namespace. */
function inNamespace(object: KubernetesObject, namespace: string | undefined): KubernetesObject {
  if (namespace === undefined || !isObject(object.metadata)) return object;
  const { metadata, subjects } = object;
  const isSubject = (subject: unknown) =>
    isObject(subject) &&
    subject.kind === 'ServiceAccount' &&
    (subject.namespace === undefined || subject.namespace === metadata.namespace);
  const bound = Array.isArray(subjects) && {
    subjects: subjects.map((subject: Fields) => (isSubject(subject) ? { ...subject, namespace } : subject)),
  };
  if (object.apiVersion === 'v1' && object.kind === 'Namespace') {
    return { ...object, metadata: { ...metadata, name: namespace } };
  }
  if (isClusterScoped(object)) return { ...object, ...bound };
  return { ...object, ...bound, metadata: { ...metadata, namespace } };
}

interface Labels {
  readonly pairs: Values;
  readonly inTemplates: boolean;
  readonly inSelectors: boolean;
}

function labelsOf(data: Values): readonly Labels[] {
  const common: Labels = { pairs: mapAt(data, 'commonLabels'), inTemplates: true, inSelectors: true };
  const others = listAt(data, 'labels').flatMap((entry): readonly Labels[] => {
    if (!isMap(entry)) return [];
    const inSelectors = entry.includeSelectors === true;
    return [{ pairs: mapAt(entry, 'pairs'), inTemplates: inSelectors || entry.includeTemplates === true, inSelectors }];
  });
  return [common, ...others].filter(({ pairs }) => Object.keys(pairs).length > 0);
}

function withLabels(object: KubernetesObject, { pairs, inTemplates, inSelectors }: Labels): KubernetesObject {
  const own = { ...object, metadata: withMembers(object.metadata, 'labels', pairs) } as KubernetesObject;
  const inPods = inTemplates ? atTemplate(own, (template) => inMetadata(template, 'labels', pairs)) : own;
  return inSelectors ? selecting(inPods, pairs) : inPods;
}

const SELECTING: ReadonlySet<unknown> = new Set(['Deployment', 'ReplicaSet', 'DaemonSet', 'StatefulSet']);

/** The fields of selectors. Kinds outside of SELECTING get labels only in selectors that already have some. */
const SELECTORS: ReadonlyMap<unknown, string> = new Map([
  ...[...SELECTING, 'PodDisruptionBudget', 'Job'].map((kind): [unknown, string] => [kind, 'selector']),
  ['NetworkPolicy', 'podSelector'],
]);

function selecting(object: KubernetesObject, pairs: Values): KubernetesObject {
  const spec = objectOf(object.spec);
  if (object.kind === 'Service' && object.apiVersion === 'v1') {
    return { ...object, spec: withMembers(spec, 'selector', pairs) };
  }
  const field = SELECTORS.get(object.kind);
  const selector = field === undefined ? {} : objectOf(spec[field]);
  if (field === undefined || !(SELECTING.has(object.kind) || isObject(selector.matchLabels))) return object;
  return { ...object, spec: { ...spec, [field]: withMembers(selector, 'matchLabels', pairs) } };
}

function withAnnotations(object: KubernetesObject, pairs: Values): KubernetesObject {
  if (Object.keys(pairs).length === 0) return object;
  const own = { ...object, metadata: withMembers(object.metadata, 'annotations', pairs) } as KubernetesObject;
  return atTemplate(own, (template) => inMetadata(template, 'annotations', pairs));
}

function inMetadata(template: Fields, field: string, pairs: Values): Fields {
  return { ...template, metadata: withMembers(template.metadata, field, pairs) };
}

function withMembers(holder: unknown, field: string, pairs: Values): Fields {
  const before = objectOf(holder);
  return { ...before, [field]: { ...objectOf(before[field]), ...pairs } };
}

/** Changes the template of pods, if the object has one; of a CronJob, the template of its jobs, too. */
function atTemplate(object: KubernetesObject, change: (template: Fields) => Fields): KubernetesObject {
  const { spec } = object;
  if (!isObject(spec)) return object;
  if (isObject(spec.template)) return { ...object, spec: { ...spec, template: change(spec.template) } };
  const job = objectOf(spec.jobTemplate);
  const inner = objectOf(job.spec);
  if (!isObject(inner.template)) return object;
  const jobTemplate = change({ ...job, spec: { ...inner, template: change(inner.template) } });
  return { ...object, spec: { ...spec, jobTemplate } };
}

function withImages(object: KubernetesObject, images: readonly unknown[]): KubernetesObject {
  const byName = new Map(images.flatMap((image) => (isMap(image) ? [[text(image.name), image] as const] : [])));
  if (byName.size === 0) return object;
  const changed = (spec: Fields): Fields => ({
    ...spec,
    ...containersIn(spec, 'containers', byName),
    ...containersIn(spec, 'initContainers', byName),
  });
  if (object.kind === 'Pod' && isObject(object.spec)) return { ...object, spec: changed(object.spec) };
  return atTemplate(object, (template) => ({ ...template, spec: changed(objectOf(template.spec)) }));
}

function containersIn(spec: Fields, field: string, images: ReadonlyMap<string | undefined, Values>): Fields {
  const containers = spec[field];
  if (!Array.isArray(containers)) return {};
  return {
    [field]: containers.map((container: unknown) =>
      isObject(container) && typeof container.image === 'string'
        ? { ...container, image: imageIn(container.image, images) }
        : container,
    ),
  };
}

/** A colon before the last slash belongs to the registry's port. */
function imageIn(image: string, images: ReadonlyMap<string | undefined, Values>): string {
  const [, name = image, suffix = ''] = /^(.+?)((?::[^/@:]+)?(?:@.*)?)$/.exec(image) ?? [];
  const found = images.get(name);
  if (found === undefined) return image;
  const { newName, newTag, digest } = found;
  const tag = newTag === undefined || newTag === null ? '' : `:${newTag}`;
  const pinned = text(digest) === undefined ? '' : `@${digest}`;
  return `${text(newName) ?? name}${tag + pinned === '' ? suffix : tag + pinned}`;
}

const SCALED: ReadonlySet<unknown> = new Set(['Deployment', 'ReplicaSet', 'ReplicationController', 'StatefulSet']);

function withReplicas(
  object: KubernetesObject,
  replicas: readonly unknown[],
  original: KubernetesObject,
): KubernetesObject {
  const names = [object, original].map(({ metadata }) => objectOf(metadata).name);
  const found = replicas.find((one) => isMap(one) && names.includes(one.name));
  if (!isMap(found) || !SCALED.has(object.kind)) return object;
  return { ...object, spec: { ...objectOf(object.spec), replicas: found.count } };
}
