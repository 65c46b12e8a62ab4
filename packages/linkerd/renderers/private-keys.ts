import type { Problem } from '#base/findings/problem';
import { secretsIn } from '#base/secrets/secret-walk';
import { dottedPath } from '#base/value-path';
import { replaceValues, type Values } from '#base/values';
import { INJECTION_FINDINGS } from '../injection/findings';
import { LINKERD_CHART_FINDINGS } from './findings';

/** Checks that a chart's values contain no private keys, by their format and by their names in Linkerd's charts. */
export function checkPrivateKeys(values: Values): readonly Problem[] {
  return pathsOf('private key', values).map((path) =>
    INJECTION_FINDINGS.privateKeyFoundValues({ path }, { about: path }),
  );
}

/** Checks that a chart's values contain no secrets: private keys, and credentials in URLs. */
export function checkSecretsInValues(values: Values): readonly Problem[] {
  return [
    ...checkPrivateKeys(values),
    ...pathsOf('credentials', values).map((path) =>
      LINKERD_CHART_FINDINGS.credentialsFoundValues({ path }, { about: path }),
    ),
  ];
}

/** Returns values without secrets, which other rules need not check. */
export function withoutSecrets(values: Values): Values {
  return replaceValues(
    values,
    secretsIn(values).map(({ path }) => path),
    {},
  );
}

function pathsOf(kind: 'private key' | 'credentials', values: Values): readonly string[] {
  return secretsIn(values)
    .filter(({ is }) => is === kind)
    .map(({ path }) => dottedPath(['values', ...path]));
}
