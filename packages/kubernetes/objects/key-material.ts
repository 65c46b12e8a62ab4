import type { Problem } from '#base/findings/problem';
import { type FoundSecret, secretsIn } from '#base/secrets/secret-walk';
import { dottedPath } from '#base/value-path';
import { KUBERNETES_FINDINGS } from '../findings/findings';
import { describeObject, type KubernetesObject } from './kubernetes-object';

/** Reports private keys and credentials in an object: all readers of the repository would have them permanently. */
export function checkKeyMaterial(object: KubernetesObject): readonly Problem[] {
  return secretsIn(object).map((found) => (found.is === 'private key' ? keyIn(object, found) : loginIn(object, found)));
}

function keyIn(object: KubernetesObject, { path }: FoundSecret): Problem {
  return KUBERNETES_FINDINGS.privateKeyFoundObject(
    { path: dottedPath(path), kind: object.kind },
    { place: describeObject(object) },
  );
}

function loginIn(object: KubernetesObject, { path }: FoundSecret): Problem {
  return KUBERNETES_FINDINGS.credentialsFoundObject({ path: dottedPath(path) }, { place: describeObject(object) });
}
