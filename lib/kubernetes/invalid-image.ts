import { imageReferenceOf } from '../../operator/api/kubernetes/image-reference';
import { violationOf } from '../../operator/api/kubernetes/violation';
import type { Problem } from './findings/problem';

/** The problem of a text that kubelets do not read as an image. */
export function invalidImage(field: string, image: string): Problem {
  return {
    code: 'image-refused',
    violates: violationOf('form', refusedPart(image)),
    what: `${field} is "${image}", which is no reference to an image`,
    why: 'The API server takes any text, and the pods would stay in InvalidImageName',
    fix: 'write it as registry/path/name:tag, path and name in small letters, or with @sha256: and the digest',
  };
}

/** The registry of an image if the rest of it is right: all images from there are refused for one reason. */
function refusedPart(image: string): string {
  const slash = image.lastIndexOf('/');
  return slash > 0 && imageReferenceOf(image.slice(slash + 1)) !== undefined ? image.slice(0, slash) : image;
}
