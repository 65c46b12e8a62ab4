import type { Construct } from 'constructs';
import { imageReferenceOf } from '../../operator/api/image-reference';
import { violationOf } from '../../operator/api/violation';
import { invalidImage } from '../kubernetes/invalid-image';
import { type ImageMirror, mirroredImage } from '../kubernetes/mirrored-image';
import { checkDnsSubdomain } from '../kubernetes/names';
import type { Problem } from '../problems/problem';
import { Cluster } from '../tree/cluster';
import { OperatorImage } from '../tree/operator-image';

/** An image, and the prop that says so. */
export interface ChosenImage {
  readonly image: OperatorImage;
  readonly field: string;
}

/** Chooses what runs the operator: the construct's own image, else its cluster's, else the bundled one. */
export function chooseOperatorImage(scope: Construct, own: OperatorImage | undefined): ChosenImage {
  if (own !== undefined) return { image: own, field: 'image' };
  const cluster = Cluster.find(scope);
  return { image: cluster?.operatorImage ?? usualImage(cluster?.mirror?.images), field: 'operatorImage' };
}

/** The stock image that runs the bundled operator, from the mirror of the cluster if it has one. */
function usualImage(mirror: ImageMirror = {}): OperatorImage {
  const usual = OperatorImage.bundled();
  return usual.kind === 'bundled' ? { ...usual, node: mirroredImage(usual.node, mirror) } : usual;
}

/** The image that nodes pull; of what is no image, which is reported, the default. */
export function imageReference(image: OperatorImage): string {
  return image.kind === 'bundled' ? image.node : (image.reference ?? imageReference(OperatorImage.bundled()));
}

/** Reports what would keep nodes from pulling the image, or make them run whatever is new. */
export function checkOperatorImage(field: string, image: OperatorImage): readonly Problem[] {
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

function noImage(field: string, image: unknown): Problem {
  return {
    code: 'operator-image-refused',
    violates: violationOf('form', image),
    what: `${field} is ${JSON.stringify(image)}`,
    why: 'It says which image there is, and whether the program is in it',
    fix: 'write it as OperatorImage.bundled({ node: … }) or as OperatorImage.registry(…)',
  };
}
