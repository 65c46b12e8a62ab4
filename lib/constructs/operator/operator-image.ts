import type { Construct } from 'constructs';
import { imageReferenceOf } from '../../../operator/api/kubernetes/image-reference';
import { violationOf } from '../../../operator/api/kubernetes/violation';
import { Cluster } from '../../gitops/tree/cluster';
import { OperatorImage } from '../../gitops/tree/operator-image';
import type { Problem } from '../../kubernetes/findings/problem';
import { invalidImage } from '../../kubernetes/invalid-image';
import { type ImageMirror, mirroredImage } from '../../kubernetes/mirrored-image';
import { checkDnsSubdomain } from '../../kubernetes/names';
import { publishedReference } from './published-image';

/** An image, and the prop that says so. */
export interface ChosenImage {
  readonly image: OperatorImage;
  readonly field: string;
}

/** Chooses what runs the operator: the construct's own image, else its cluster's, else the bundled one. */
export function chooseOperatorImage(scope: Construct, own: OperatorImage | undefined): ChosenImage {
  const cluster = Cluster.find(scope);
  const mirror = cluster?.mirror?.images ?? {};
  if (own !== undefined) return { image: fromMirror(own, mirror), field: 'image' };
  return { image: fromMirror(cluster?.operatorImage ?? OperatorImage.bundled(), mirror), field: 'operatorImage' };
}

/** The image, from a mirror where nobody has named the registry: of the stock one, and of the published one. */
function fromMirror(image: OperatorImage, mirror: ImageMirror): OperatorImage {
  // Untyped code gives a text.
  if (image?.kind === 'published') {
    const reference = publishedReference();
    return reference === undefined
      ? image
      : { ...image, kind: 'registry', reference: mirroredImage(reference, mirror) };
  }
  if (image?.kind !== 'bundled' || image.node !== imageReference(OperatorImage.bundled())) return image;
  return { ...image, node: mirroredImage(image.node, mirror) };
}

/** The image that nodes pull; of what is no image, which is reported, the default. */
export function imageReference(image: OperatorImage): string {
  if (image.kind === 'bundled') return image.node;
  const reference = image.kind === 'registry' ? image.reference : undefined;
  return reference ?? imageReference(OperatorImage.bundled());
}

/** Reports what would keep nodes from pulling the image, or make them run whatever is new. */
export function checkOperatorImage(field: string, image: OperatorImage): readonly Problem[] {
  if (image?.kind === 'published') return [notPublished(field)];
  // Untyped code gives a text.
  if (image?.kind !== 'bundled' && image?.kind !== 'registry') return [noImage(field, image)];
  const reference = imageReference(image);
  return [
    ...checkReference(image.kind === 'bundled' ? `${field}.node` : field, reference),
    ...(image.pullSecrets ?? []).flatMap((name, index) => checkDnsSubdomain(`${field}.pullSecrets[${index}]`, name)),
  ];
}

function checkReference(field: string, reference: string): readonly Problem[] {
  const parsed = imageReferenceOf(reference);
  if (parsed === undefined) return [invalidImage(field, reference)];
  const { tag, digest } = parsed;
  if (digest !== undefined || (tag !== undefined && tag !== 'latest')) return [];
  return [
    {
      code: 'image-not-pinned',
      what: `${field} is "${reference}", ${tag === undefined ? 'without a tag' : 'whose tag moves'}`,
      why: 'Nodes would run whatever was newest when each of them pulled it, and two replicas different programs',
      fix: 'name a version as the tag, or the digest',
    },
  ];
}

/** One that is has become an image of a registry by then. */
function notPublished(field: string): Problem {
  return {
    code: 'operator-image-unpublished',
    what: `${field} is OperatorImage.published(), and no image is known that has the operator of this cdk8s-linkerd`,
    why: 'Only a package that was published by the project names the image that was published with it, by its digest',
    fix: 'install a published package; or use OperatorImage.bundled(), which needs no image of its own; or build operator/Dockerfile and name the image by OperatorImage.registry(…)',
  };
}

function noImage(field: string, image: unknown): Problem {
  return {
    code: 'operator-image-refused',
    violates: violationOf('form', image),
    what: `${field} is ${JSON.stringify(image)}`,
    why: 'It says which image there is, and whether the program is in it',
    fix: 'write it as OperatorImage.bundled({ node: … }), OperatorImage.published() or OperatorImage.registry(…)',
  };
}
