import { type ApiObject, type ApiObjectMetadataDefinition, JsonPatch } from 'cdk8s';
import type { Problem } from '#base/findings/problem';
import { pointer, valueAtPointer } from '#base/json-pointer';
import { showValue } from '#base/value-path';
import { podPlaces } from '#kubernetes/objects/pod-places';
import { apiObjectOf, describeApiObject, type Meshable } from '../../gitops/tree/meshable';
import type { Annotations } from './config/config-annotations';
import { MESHING_FINDINGS } from './findings';
import { type Obstacle, obstacleOn, putAt } from './json-patch';

interface Annotating {
  readonly annotations: Annotations;

  /**
   * Labels of its pods.
   *
   * @default - none
   */
  readonly labels?: Annotations;

  /**
   * JSON pointer to the metadata of the target's pods, if the library does not know its kind.
   *
   * @default - the pod template of the kind
   */
  readonly podMetadata?: string;
}

/**
 * Annotates and labels the pods of a target; returns the problems.
 *
 * Patches a plain object in its current state: replacing its pod template later loses the patch.
 */
export function annotatePods(
  target: Meshable,
  { annotations, labels = {}, podMetadata }: Annotating,
): readonly Problem[] {
  const object = apiObjectOf(target);
  if (podMetadata === undefined && 'podMetadata' in target) {
    return [...annotate(object, target.podMetadata, annotations), ...label(object, target.podMetadata, labels)];
  }
  const misplaced = podMetadata === undefined ? [] : checkPodMetadata(podMetadata);
  if (misplaced.length > 0) return misplaced;
  const places = podMetadata === undefined ? podPlaces(object.toJson()).map(({ metadata }) => metadata) : [podMetadata];
  if (places.length === 0)
    return [MESHING_FINDINGS.podsNotFound({ object: describeApiObject(object), apiVersion: object.apiVersion })];
  return places.flatMap((place) =>
    place === '/metadata'
      ? [...annotate(object, object.metadata, annotations), ...label(object, object.metadata, labels)]
      : [...patchAt(object, `${place}/annotations`, annotations), ...patchAt(object, `${place}/labels`, labels)],
  );
}

function label(object: ApiObject, metadata: ApiObjectMetadataDefinition, labels: Annotations): readonly Problem[] {
  const before = valueAtPointer(metadata.toJson(), '/labels');
  return Object.entries(labels).flatMap(([key, value]) => {
    const conflict = checkConflict(object, before, key, value);
    if (conflict === undefined) metadata.addLabel(key, value);
    return conflict ?? [];
  });
}

/** Annotates an object. Keeps an annotation that has another value, and returns it as a problem. */
export function annotate(
  object: ApiObject,
  metadata: ApiObjectMetadataDefinition,
  annotations: Annotations,
): readonly Problem[] {
  const before = valueAtPointer(metadata.toJson(), '/annotations');
  const problems: Problem[] = [];
  for (const [key, value] of Object.entries(annotations)) {
    const conflict = checkConflict(object, before, key, value);
    if (conflict === undefined) metadata.addAnnotation(key, value);
    else problems.push(conflict);
  }
  return problems;
}

function patchAt(object: ApiObject, path: string, annotations: Annotations): readonly Problem[] {
  if (Object.keys(annotations).length === 0) return [];
  const document = object.toJson();
  const obstacle = obstacleOn(document, path);
  if (obstacle !== undefined) return [inTheWay(object, path, obstacle)];
  const before = valueAtPointer(document, path);
  const problems = Object.entries(annotations).map(([key, value]) => checkConflict(object, before, key, value));
  const added = Object.entries(annotations).filter((_, index) => problems[index] === undefined);
  if (before === undefined) object.addJsonPatch(putAt(document, path, Object.fromEntries(added)));
  else object.addJsonPatch(...added.map(([key, value]) => JsonPatch.add(pointer(path, key), value)));
  return problems.filter((problem) => problem !== undefined);
}

function inTheWay(object: ApiObject, path: string, { at, is }: Obstacle): Problem {
  return MESHING_FINDINGS.podsNotFoundObstructed({
    object: describeApiObject(object),
    kind: path.slice(path.lastIndexOf('/') + 1),
    path,
    at,
    value: showValue(is),
  });
}

function checkConflict(object: ApiObject, before: unknown, key: string, value: string): Problem | undefined {
  const existing = valueAtPointer(before, pointer('', key));
  if (existing === undefined || existing === value) return undefined;
  return MESHING_FINDINGS.annotationContested({
    object: describeApiObject(object),
    key,
    value,
    existing: `${existing}`,
  });
}

/** A pointer with keys in the form of RFC 6901, to a place within the object. */
const POINTER = /^(?:\/(?:[^~/]|~[01])+)+$/;

const TEMPLATE = /template(?:spec)?$/i;

/** Keys that lead to prototypes of JavaScript objects; JSON patches refuse them. */
const NO_DATA = ['__proto__', 'constructor', 'prototype'];

/** Reports a string that cannot be the place of the metadata of an object's pods. */
export function checkPodMetadata(place: string): readonly Problem[] {
  const keys = place.replace(/^[/.$]+/, '').split(place.includes('/') ? '/' : '.');
  const path = keys.filter((key) => key !== '');
  if (!POINTER.test(place) || keys.some((key) => NO_DATA.includes(key))) {
    return [MESHING_FINDINGS.podsNotFoundPointer({ place, proposed: `/${metadataAt(path).join('/')}` })];
  }
  const last = path.at(-1) ?? '';
  if (TEMPLATE.test(last)) {
    return [MESHING_FINDINGS.podsNotFoundTemplate({ place, proposed: `/${metadataAt(path).join('/')}` })];
  }
  if (last !== 'annotations') return [];
  return [MESHING_FINDINGS.podsNotFoundAnnotations({ place, proposed: `/${path.slice(0, -1).join('/')}` })];
}

function metadataAt(path: readonly string[]): readonly string[] {
  const [first = 'spec', ...others] = path.filter((key) => !NO_DATA.includes(key));
  const whole = [first, ...others];
  return /metadata$/i.test(whole.at(-1) ?? '') ? whole : [...whole, 'metadata'];
}
