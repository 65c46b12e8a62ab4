import type { Construct } from 'constructs';
import { imageReferenceOf } from '../../operator/api/image-reference';
import { violationOf } from '../../operator/api/violation';
import { invalidImage } from '../kubernetes/invalid-image';
import { checkDnsSubdomain } from '../kubernetes/names';
import type { Problem } from '../problems/problem';
import { Cluster } from '../tree/cluster';
import type { BundledImageProps, ImagePullProps, ProgramImage } from '../tree/program-image';

/** Where the operator's program comes from. */
export type OperatorImage = ProgramImage;

/** The Node.js of this library's own tests (the package `node` in package-lock.json). */
const NODE = 'docker.io/library/node:24.21.0-bookworm-slim';

/** The two ways to bring the operator into a cluster. */
export const OperatorImage = {
  /** This library carries the operator: it goes into a ConfigMap, so that nobody needs a registry. */
  bundled: (props: BundledImageProps = {}): OperatorImage => ({ ...props, kind: 'bundled', node: props.node ?? NODE }),
  /** An image that was built with `operator/Dockerfile` and pushed, by tag or digest. */
  registry: (reference: string, props: ImagePullProps = {}): OperatorImage => ({
    ...props,
    kind: 'registry',
    reference,
  }),
};

/** An image, and the prop that says so. */
export interface ChosenImage {
  readonly image: OperatorImage;
  readonly field: string;
}

/** Chooses what runs the operator: the construct's own image, else its cluster's, else the bundled one. */
export function chooseOperatorImage(scope: Construct, own: OperatorImage | undefined): ChosenImage {
  if (own !== undefined) return { image: own, field: 'image' };
  return { image: Cluster.find(scope)?.operatorImage ?? OperatorImage.bundled(), field: 'operatorImage' };
}

/** The image that nodes pull; of what is no image, which is reported, the default. */
export function imageReference(image: OperatorImage): string {
  return image.kind === 'bundled' ? image.node : (image.reference ?? NODE);
}

/** What would keep nodes from pulling the image, or make them run whatever is new. */
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
