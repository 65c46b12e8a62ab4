import { violationOf } from '../../operator/api/kubernetes/violation';
import type { Problem } from './findings/problem';
import { type FoundSecret, secretsIn } from './findings/secret-search';
import { describeObject, type KubernetesObject } from './kubernetes-object';
import { dottedPath } from './value-path';

/** Private keys and credentials in an object: whoever may read the repository would have them, for good. */
export function checkKeyMaterial(object: KubernetesObject): readonly Problem[] {
  return secretsIn(object).map((found) => (found.is === 'private key' ? keyIn(object, found) : loginIn(object, found)));
}

function keyIn(object: KubernetesObject, { path }: FoundSecret): Problem {
  return {
    code: 'private-key-in-object',
    violates: violationOf('secret', 'private key'),
    what: `${describeObject(object)} has a private key in ${dottedPath(path)}`,
    why: 'It would be written to Git, where everyone who can read the repository has the key, for good',
    fix: `remove it: let cert-manager make the key in the cluster; or, if the ${object.kind} is made there by other means, declare it: external: [{ kind: '${object.kind}', … }]`,
  };
}

function loginIn(object: KubernetesObject, { path }: FoundSecret): Problem {
  return {
    code: 'credentials-in-object',
    violates: violationOf('secret', 'credentials'),
    what: `${describeObject(object)} has a URL with a password or a token in ${dottedPath(path)}`,
    why: 'It would be written to Git, where everyone who can read the repository may log in with it',
    fix: 'take it out of the URL, and let it come from a Secret that is not in Git',
  };
}
