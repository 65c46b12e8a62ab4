import { KUBERNETES_FINDINGS } from './findings/findings';
import type { Problem } from './findings/problem';
import { type FoundSecret, secretsIn } from './findings/secret-search';
import { describeObject, type KubernetesObject } from './kubernetes-object';
import { dottedPath } from './value-path';

/** Private keys and credentials in an object: whoever may read the repository would have them, for good. */
export function checkKeyMaterial(object: KubernetesObject): readonly Problem[] {
  return secretsIn(object).map((found) => (found.is === 'private key' ? keyIn(object, found) : loginIn(object, found)));
}

function keyIn(object: KubernetesObject, { path }: FoundSecret): Problem {
  return KUBERNETES_FINDINGS.privateKeyInObject(
    { path: dottedPath(path), kind: object.kind },
    { place: describeObject(object) },
  );
}

function loginIn(object: KubernetesObject, { path }: FoundSecret): Problem {
  return KUBERNETES_FINDINGS.credentialsInObject({ path: dottedPath(path) }, { place: describeObject(object) });
}
