import type { Construct } from 'constructs';
import { imageReferenceOf } from '../../../operator/api/kubernetes/image-reference';
import { Cluster } from '../../gitops/tree/cluster';
import { OperatorImage } from '../../gitops/tree/operator-image';
import { KUBERNETES_FINDINGS } from '../../kubernetes/findings/findings';
import type { Problem } from '../../kubernetes/findings/problem';
import { type ImageMirror, mirroredImage } from '../../kubernetes/mirrored-image';
import { checkDnsSubdomain } from '../../kubernetes/names';
import { OPERATOR_FINDINGS } from './findings';
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
  if (image?.kind === 'published') return [OPERATOR_FINDINGS.operatorImageRefusedUnpublished({ field })];
  // Untyped code gives a text.
  if (image?.kind !== 'bundled' && image?.kind !== 'registry') {
    const value = String(JSON.stringify(image));
    return [OPERATOR_FINDINGS.operatorImageRefused({ field, value })];
  }
  const reference = imageReference(image);
  return [
    ...checkReference(image.kind === 'bundled' ? `${field}.node` : field, reference),
    ...(image.pullSecrets ?? []).flatMap((name, index) => checkDnsSubdomain(`${field}.pullSecrets[${index}]`, name)),
  ];
}

function checkReference(field: string, reference: string): readonly Problem[] {
  const parsed = imageReferenceOf(reference);
  if (parsed === undefined) return [KUBERNETES_FINDINGS.imageRefused({ field, image: reference })];
  const { tag, digest } = parsed;
  if (digest !== undefined || (tag !== undefined && tag !== 'latest')) return [];
  return [OPERATOR_FINDINGS.operatorImageRefusedVersion({ field, reference })];
}
