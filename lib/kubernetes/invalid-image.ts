import { imageReferenceOf } from '../../operator/api/kubernetes/image-reference';
import { violationOf } from '../../operator/api/kubernetes/violation';
import { KUBERNETES_FINDINGS } from './findings/findings';
import type { Problem } from './findings/problem';

/** The problem of a text that kubelets do not read as an image. */
export function invalidImage(field: string, image: string): Problem {
  return KUBERNETES_FINDINGS.imageRefused({ field, image }, { violates: violationOf('form', refusedPart(image)) });
}

/** The registry of an image if the rest of it is right: all images from there are refused for one reason. */
function refusedPart(image: string): string {
  const slash = image.lastIndexOf('/');
  return slash > 0 && imageReferenceOf(image.slice(slash + 1)) !== undefined ? image.slice(0, slash) : image;
}
