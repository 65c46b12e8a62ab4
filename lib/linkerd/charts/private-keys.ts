import { INJECTION_FINDINGS } from '../../../operator/api/injection/findings';
import type { Problem } from '../../kubernetes/findings/problem';
import { secretsIn } from '../../kubernetes/findings/secret-search';
import { dottedPath } from '../../kubernetes/value-path';
import { replaceValues, type Values } from '../../kubernetes/values';
import { LINKERD_CHART_FINDINGS } from './findings';

/** Checks that a chart's values have no private keys, by what these look like and by what Linkerd's charts call them. */
export function checkPrivateKeys(values: Values): readonly Problem[] {
  return pathsOf('private key', values).map((path) => INJECTION_FINDINGS.privateKeyInValues({ path }, { about: path }));
}

/** Checks that a chart's values have nothing that not everyone may read: private keys, and credentials in URLs. */
export function checkSecretsInValues(values: Values): readonly Problem[] {
  return [
    ...checkPrivateKeys(values),
    ...pathsOf('credentials', values).map((path) =>
      LINKERD_CHART_FINDINGS.credentialsInValues({ path }, { about: path }),
    ),
  ];
}

/** Values without those that hold secrets, which no other rule has to look at. */
export function withoutSecrets(values: Values): Values {
  return replaceValues(
    values,
    secretsIn(values).map(({ path }) => path),
    {},
  );
}

/** Returns where values hold secrets of a kind. */
function pathsOf(kind: 'private key' | 'credentials', values: Values): readonly string[] {
  return secretsIn(values)
    .filter(({ is }) => is === kind)
    .map(({ path }) => dottedPath(['values', ...path]));
}
