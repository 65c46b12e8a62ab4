import { violationOf } from '../../operator/api/violation';
import type { Problem } from '../problems/problem';

/** The problem of a text that kubelets do not read as an image. */
export function invalidImage(field: string, image: string): Problem {
  return {
    code: 'image-refused',
    violates: violationOf('form', image),
    what: `${field} is "${image}", which is no reference to an image`,
    why: 'The API server takes any text, and the pods would stay in InvalidImageName',
    fix: 'write it as registry/path/name:tag, path and name in small letters, or with @sha256: and the digest',
  };
}
