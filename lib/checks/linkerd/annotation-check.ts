import type { Problem } from '#base/findings/problem';
import { isObject, objectOf } from '#base/is-object';
import { valueAtPointer } from '#base/json-pointer';
import { quantityOf } from '#base/quantity';
import { remembered, rememberedOfBoth } from '#base/remembered';
import { suggest } from '#base/suggest';
import { dottedPath } from '#base/value-path';
import { describeObject, type KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { isNamespace, podPlaces } from '#kubernetes/objects/pod-places';
import { apiGroup } from '#kubernetes/objects/scope';
import { hasSchema } from '#kubernetes/schemas/schema';
import { DEBUG_IMAGE_VERSION, EXTENSION, INJECT, PROXY_VERSION } from '#linkerd/annotations';
import { LINKERD_FINDINGS } from '#linkerd/findings';
import type { InjectorFeatures } from '#linkerd/releases/groups/injector';
import { OBJECT_CHECKS } from '../findings';
import { requestsProxy } from '../policy/pod-sets';
import {
  AMOUNTS,
  ANNOTATIONS,
  type AnnotationPlace,
  LABELS,
  PARTLY_SUPPORTED,
  type PartlySupported,
  TRACE_ATTRIBUTE_PREFIX,
  WRITTEN_ANNOTATIONS,
} from './annotation-table';
import { checkTagRelease } from './image-release-check';

/** The injector of the control plane in a cluster. */
export interface KnownInjector {
  readonly version: string;
  readonly features: InjectorFeatures;
}

/** Reports a request of the proxy's resources above its limit. */
export function checkAmounts(
  annotations: Readonly<Record<string, unknown>>,
  [field, limitField]: readonly [request: string, limit: string],
): readonly Problem[] {
  const [request, limit] = [annotations[field], annotations[limitField]];
  if (typeof request !== 'string' || typeof limit !== 'string') return [];
  const [least, most] = [quantityOf(request), quantityOf(limit)];
  if (least === undefined || most === undefined || least <= most) return [];
  return [LINKERD_FINDINGS.requestOverLimitAnnotations({ field, request, limitField, limit })];
}

/** Whether a release reads an annotation with this value. */
export function isSupported(key: string, text: string, features: InjectorFeatures): boolean {
  return unsupported(key, text, features) === undefined;
}

function unsupported(key: string, text: string, features: InjectorFeatures): PartlySupported | undefined {
  return PARTLY_SUPPORTED.find(
    ({ keys, only = text, isKnown }) => keys.includes(key) && only === text && !isKnown(features),
  );
}

/**
 * Checks the annotations and labels of an object, and of its pods, that Linkerd, its extensions or the operator read:
 * their names, values and places.
 *
 * @param injector - undefined if the control plane is installed elsewhere
 */
export function checkAnnotations(object: KubernetesObject, injector: KnownInjector | undefined): readonly Problem[] {
  const own = ownFindings(object);
  if (own === undefined) return [];
  return injector === undefined ? own : [...own, ...checkSupport(object, injector)];
}

/** Returns undefined for objects without annotations or labels of Linkerd, which are most. */
const ownFindings = remembered((object: KubernetesObject): readonly Problem[] | undefined => {
  const holders = holdersOf(object);
  if (!holders.some(isConcerned)) return undefined;
  return holders.flatMap((holder) => checkHolder(object, holder, holders));
});

type Entries = Readonly<Record<string, unknown>>;

/** Metadata, or a map of annotations whose use is unknown. */
interface Holder {
  /** Path of the map that has annotations and labels, with a dot at its end; empty for the object. */
  readonly path: string;
  readonly annotations: Entries;
  readonly labels: Entries;
  /** What reads the annotations; undefined if unknown. */
  readonly place: AnnotationPlace | 'workload' | 'other' | undefined;
}

const PREFIX = /^(?:[a-z]+\.)*linkerd\.io\//;

function isConcerned({ annotations, labels }: Holder): boolean {
  return [annotations, labels].some((entries) => Object.keys(entries).some((key) => PREFIX.test(key)));
}

function holdersOf(object: KubernetesObject): readonly Holder[] {
  const isSpace = isNamespace(object);
  const pods = isSpace ? [] : podPlaces(object).map(({ metadata }) => metadata);
  const known = [...new Set([...pods, '/metadata'])].map((pointer) =>
    holderAt(object, pointer, placeOf(object, pods, pointer)),
  );
  // Annotations in custom resources (values of charts, templates of other operators) have unknown readers.
  return hasSchema(object) ? known : [...known, ...hiddenHolders(object, pods)];
}

function placeOf(object: KubernetesObject, pods: readonly string[], pointer: string): Holder['place'] {
  if (pods.includes(pointer)) return 'pod';
  if (isNamespace(object)) return 'namespace';
  if (object.kind === 'Service' && apiGroup(object.apiVersion) === '') return 'service';
  return pods.length > 0 ? 'workload' : 'other';
}

function holderAt(object: KubernetesObject, pointer: string, place: Holder['place']): Holder {
  const metadata = valueAtPointer(object, pointer);
  const { annotations, labels } = objectOf(metadata);
  const path = `${dottedPath(pointer.slice(1).split('/'))}.`;
  return { path, place, annotations: objectOf(annotations), labels: objectOf(labels) };
}

const ANNOTATION_MAP = /annotations$/i;

function hiddenHolders(object: KubernetesObject, pods: readonly string[]): readonly Holder[] {
  const found: Holder[] = [];
  const visit = (value: unknown, path: readonly string[]) => {
    if (typeof value !== 'object' || value === null || pods.includes(`/${path.join('/')}`)) return;
    for (const [key, member] of Object.entries(value)) {
      const at = [...path, key];
      if (isObject(member) && ANNOTATION_MAP.test(key)) {
        const inner = dottedPath(at);
        found.push({ path: inner, place: undefined, annotations: member, labels: {} });
      } else visit(member, at);
    }
  };
  const { metadata: _, ...content } = object;
  visit(content, []);
  return found;
}

function checkHolder(object: KubernetesObject, holder: Holder, all: readonly Holder[]): readonly Problem[] {
  const found: Problem[] = [];
  const at = (problems: readonly Problem[]) => {
    const place = `${describeObject(object)}: ${holder.path}${holder.place === undefined ? '' : 'annotations'}`;
    return problems.map((problem) => ({ ...problem, place }));
  };
  for (const [key, value] of Object.entries(holder.annotations)) {
    if (isUnreadAttribute(key, holder)) found.push(...onlyOnPods(key, object));
    if (!PREFIX.test(key) || WRITTEN_ANNOTATIONS.has(key)) continue;
    found.push(...at(checkAnnotation(key, value, object, holder)), ...withoutEffect(key, object, holder, all));
  }
  for (const amount of AMOUNTS) found.push(...at(checkAmounts(holder.annotations, amount)));
  const place = `${describeObject(object)}: ${holder.path}labels`;
  for (const [key, value] of Object.entries(holder.labels)) {
    found.push(...checkLabel(key, value, holder).map((problem) => ({ ...problem, place })));
  }
  return found;
}

/** Attributes of traces are not specific to Linkerd: only those of a meshed namespace are meant for its proxies. */
function isUnreadAttribute(key: string, { place, annotations }: Holder): boolean {
  return place === 'namespace' && key.startsWith(TRACE_ATTRIBUTE_PREFIX) && requestsProxy(annotations[INJECT]);
}

function onlyOnPods(annotation: string, object: KubernetesObject): readonly Problem[] {
  const moved = { places: READ_ON.pod, place: 'the pods of its workloads' };
  return [LINKERD_FINDINGS.annotationWithoutEffectObject({ annotation, object: describeObject(object), ...moved })];
}

function checkAnnotation(key: string, value: unknown, object: KubernetesObject, holder: Holder): readonly Problem[] {
  const known = ANNOTATIONS.get(key);
  if (known === undefined) return checkUnknown(key, value, holder);
  if (typeof value === 'string') return isRead(known.on, holder.place) ? known.form.check(key, value) : [];
  // The schema of the kind reports the wrong type.
  if (hasSchema(object)) return [];
  const suggestion = JSON.stringify(`${value}`);
  return [OBJECT_CHECKS.metadataRefusedType({ field: key, value: JSON.stringify(value), suggestion })];
}

/** Whether an annotation is checked at a place. Annotations of a workload itself are meant for its pods. */
function isRead(on: readonly AnnotationPlace[], place: Holder['place']): boolean {
  return place === 'service' ? on.includes(place) : place !== 'other';
}

function checkUnknown(key: string, value: unknown, { place, labels }: Holder): readonly Problem[] {
  if (LABELS.has(key)) {
    if (place === undefined || labels[key] !== undefined) return [];
    return [LINKERD_FINDINGS.annotationMisplacedAnnotation({ key, value: JSON.stringify(value) ?? '""' })];
  }
  const similar = meantKey(key, READ_KEYS);
  return similar === undefined ? [] : [LINKERD_FINDINGS.annotationUnknown({ annotation: key, similar })];
}

function checkLabel(key: string, value: unknown, { annotations }: Holder): readonly Problem[] {
  if (!PREFIX.test(key) || LABELS.has(key) || WRITTEN_ANNOTATIONS.has(key)) return [];
  if (ANNOTATIONS.has(key)) {
    if (annotations[key] !== undefined) return [];
    return [LINKERD_FINDINGS.annotationMisplacedLabel({ key, value: JSON.stringify(value) ?? '""' })];
  }
  const similar = meantKey(key, [...LABELS]);
  return similar === undefined ? [] : [LINKERD_FINDINGS.annotationUnknownLabel({ label: key, similar })];
}

const READ_KEYS: readonly string[] = [...ANNOTATIONS.keys(), ...LABELS];

/** Returns the known key that differs only in its prefix, or in a few letters. */
function meantKey(key: string, known: readonly string[]): string | undefined {
  const nameIn = (one: string) => one.slice(one.indexOf('/') + 1);
  const sameName = known.find((one) => nameIn(one) === nameIn(key));
  if (sameName !== undefined) return sameName;
  const [name] = suggest(nameIn(key), known.map(nameIn));
  return name === undefined ? undefined : known.find((one) => nameIn(one) === name);
}

/** Prefixes for which all annotations are known. */
const CLOSED = /^(?:config\.(?:alpha\.|beta\.)?)?linkerd\.io\//;

const READ_ON: Readonly<Record<AnnotationPlace, string>> = {
  pod: 'pods',
  namespace: 'namespaces',
  service: 'Services',
};

function withoutEffect(
  key: string,
  object: KubernetesObject,
  { place, labels }: Holder,
  all: readonly Holder[],
): readonly Problem[] {
  if (place === undefined || place === 'other') return [];
  const known = ANNOTATIONS.get(key);
  const details = { annotation: key, object: describeObject(object) };
  if (known === undefined) {
    const isOpen = LABELS.has(key) || !CLOSED.test(key) || meantKey(key, READ_KEYS) !== undefined;
    return isOpen ? [] : [LINKERD_FINDINGS.annotationWithoutEffect(details)];
  }
  if (place === 'workload') {
    const pods = all.filter((holder) => holder.place === 'pod');
    // The extensions of Linkerd annotate their workloads, too.
    if (
      labels[EXTENSION] !== undefined ||
      pods.length === 0 ||
      pods.some(({ annotations }) => annotations[key] !== undefined)
    )
      return [];
    const moved = { places: READ_ON.pod, place: `${pods[0]?.path}annotations` };
    return [LINKERD_FINDINGS.annotationWithoutEffectObject({ ...details, ...moved })];
  }
  // Charts set the annotation for injection on all their objects.
  if (known.on.includes(place) || key === INJECT) return [];
  if (place === 'namespace') return onlyOnPods(key, object);
  const places = known.on.map((on) => READ_ON[on]).join(' and ');
  return [LINKERD_FINDINGS.annotationWithoutEffectObject({ ...details, places, place: 'the pods of the Service' })];
}

const checkSupport = rememberedOfBoth((object: KubernetesObject, injector: KnownInjector): readonly Problem[] =>
  holdersOf(object).flatMap(({ annotations, path }) => {
    const place = `${describeObject(object)}: ${path}annotations`;
    return Object.entries(annotations)
      .flatMap(([key, text]) => (typeof text === 'string' ? checkRelease(key, text, injector) : []))
      .map((problem) => ({ ...problem, place }));
  }),
);

function checkRelease(key: string, text: string, { version, features }: KnownInjector): readonly Problem[] {
  if (key === PROXY_VERSION || key === DEBUG_IMAGE_VERSION) return checkTagRelease(key, text, version);
  const setting = unsupported(key, text, features);
  return setting === undefined ? [] : [setting.finding({ field: key, value: JSON.stringify(text), version })];
}
