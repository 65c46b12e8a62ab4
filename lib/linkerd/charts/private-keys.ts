import { violationOf } from '../../../operator/api/kubernetes/violation';
import type { Problem } from '../../kubernetes/findings/problem';
import { secretsIn } from '../../kubernetes/findings/secret-search';
import { dottedPath } from '../../kubernetes/value-path';
import type { Values } from '../../kubernetes/values';

/** Checks that a chart's values have no private keys, by what these look like and by what Linkerd's charts call them. */
export function checkPrivateKeys(values: Values): readonly Problem[] {
  return pathsOf('private key', values).map((path) => ({
    code: 'private-key-in-values',
    violates: violationOf('secret', 'private key'),
    about: path,
    what: `${path} holds a private key`,
    why: 'Values are written to Git, where everyone who can read the repository would have the key, for good',
    fix: `remove ${path}: cert-manager, or another tool, makes the key in the cluster and renews it`,
  }));
}

/** Checks that a chart's values have nothing that not everyone may read: private keys, and credentials in URLs. */
export function checkSecretsInValues(values: Values): readonly Problem[] {
  return [
    ...checkPrivateKeys(values),
    ...pathsOf('credentials', values).map((path) => ({
      code: 'credentials-in-values',
      violates: violationOf('secret', 'credentials'),
      about: path,
      what: `${path} holds a URL with a password or a token in it`,
      why: 'Values are written to Git, where everyone who can read the repository could log in with it',
      fix: 'take it out of the URL, and let the chart read it from a Secret that is not in Git',
    })),
  ];
}

/** Returns where values hold secrets of a kind. */
function pathsOf(kind: 'private key' | 'credentials', values: Values): readonly string[] {
  return secretsIn(values)
    .filter(({ is }) => is === kind)
    .map(({ path }) => dottedPath(['values', ...path]));
}
