import { imageReferenceOf } from '#base/image-reference';
import { objectOf } from '#base/is-object';
import { valueAtPointer } from '#base/json-pointer';
import { itemsOf, textIn } from '#base/select-fields';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { podPlaces } from '#kubernetes/objects/pod-places';
import { CONTROL_PLANE_COMPONENT, CREATED_BY, EXTENSION } from '../annotations';
import type { LinkerdPart } from './charts';
import { compareReleases, lineOf } from './lines';

/** The release of a part of Linkerd, and the object that shows it. */
export interface FoundRelease {
  readonly part: LinkerdPart;
  readonly release: string;
  readonly object: KubernetesObject;
}

/**
 * Returns the releases of the parts of Linkerd that objects install, by the images of their workloads, or else by the
 * annotation of the program that rendered them. A part with several releases is left out, and so is an extension
 * without a control plane. Returns nothing for parts of several minor versions: such objects are not those of one
 * cluster.
 */
export function releasesAmong(objects: readonly KubernetesObject[]): readonly FoundRelease[] {
  const found = objects.flatMap(releaseIn);
  if (new Set(found.map(({ release }) => lineOf(release))).size > 1) return [];
  const isWhole = found.some(({ part }) => part === 'controlPlane');
  return found.filter(
    ({ part, release }, index) =>
      (isWhole || part === 'crds') &&
      found.every((other) => other.part !== part || other.release === release) &&
      found.findIndex((other) => other.part === part) === index,
  );
}

function releaseIn(object: KubernetesObject): readonly FoundRelease[] {
  const part = partOf(object);
  const [place] = part === undefined || object.kind !== 'Deployment' ? [] : podPlaces(object);
  const spec = place?.spec === undefined ? undefined : valueAtPointer(object, place.spec);
  const ofImages = itemsOf(objectOf(spec).containers).flatMap((container) =>
    releaseOfImage(textIn(container, 'image')),
  );
  const release = ofImages[0] ?? releaseOfAnnotation(object);
  return part === undefined || release === undefined ? [] : [{ part, release, object }];
}

const EXTENSIONS: Readonly<Record<string, LinkerdPart>> = {
  jaeger: 'jaeger',
  multicluster: 'multicluster',
  viz: 'viz',
};

function partOf({ kind, metadata: { name, labels } }: KubernetesObject): LinkerdPart | undefined {
  if (kind === 'CustomResourceDefinition') return /\.linkerd\.io$/.test(name) ? 'crds' : undefined;
  if (kind !== 'Deployment') return undefined;
  const extension = labels?.[EXTENSION];
  if (extension !== undefined) return Object.hasOwn(EXTENSIONS, extension) ? EXTENSIONS[extension] : undefined;
  return labels?.[CONTROL_PLANE_COMPONENT] === undefined ? undefined : 'controlPlane';
}

/** The images of Linkerd with the tag of the release of their chart, in any registry. */
const IMAGE = /(?:^|\/)(?:controller|metrics-api|tap|web|jaeger-webhook)(?::|$)/;

function releaseOfImage(image: string | undefined): readonly string[] {
  if (image === undefined || !IMAGE.test(image.replace(/@.*/, ''))) return [];
  return knownForm(imageReferenceOf(image)?.tag);
}

/** Returns the release in an annotation such as `linkerd/helm edge-26.8.3` or `linkerd/cli stable-2.14.10`. */
function releaseOfAnnotation({ metadata: { annotations } }: KubernetesObject): string | undefined {
  return knownForm(/^linkerd\/(?:helm|cli) (\S+)$/.exec(annotations?.[CREATED_BY] ?? '')?.[1])[0];
}

/** The first edge that led up to 2.15: releases before 2.14 are unknown. */
const OLDEST = 'edge-23.8.3';

function knownForm(tag: string | undefined): readonly string[] {
  if (tag === undefined || !/^(?:edge-\d+\.\d+\.\d+|stable-2\.14\.\d+)$/.test(tag)) return [];
  return tag.startsWith('stable') || compareReleases(tag, OLDEST) >= 0 ? [tag] : [];
}
