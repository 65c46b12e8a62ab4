import type { Problem } from '../../kubernetes/findings/problem';
import { type FoundSecret, secretsIn } from '../../kubernetes/findings/secret-search';
import { holdsPrivateKey } from '../../kubernetes/findings/secret-texts';
import { dottedPath } from '../../kubernetes/value-path';
import { isMap, type Value, type Values } from '../../kubernetes/values';
import { CLI_FINDINGS } from '../findings';

/** Values, and what had to be left out of them. */
export interface CleanValues {
  readonly values: Values;
  readonly warnings: readonly Problem[];
}

/** Leaves out private keys and credentials, which must not come into a program that is kept in Git. */
export function withoutSecrets(values: Values): CleanValues {
  const found = secretsIn(values);
  const secrets = new Set(found.map(({ path }) => dottedPath(path)));
  return { values: cleanMap(values, [], secrets), warnings: found.map(leftOut) };
}

function cleanMap(values: Values, path: readonly string[], secrets: ReadonlySet<string>): Values {
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) => {
      const kept = value === undefined || holdsPrivateKey(key) ? undefined : clean(value, [...path, key], secrets);
      return kept === undefined ? [] : [[key, kept]];
    }),
  );
}

function clean(value: Value, path: readonly string[], secrets: ReadonlySet<string>): Value | undefined {
  if (isMap(value)) return cleanMap(value, path, secrets);
  if (Array.isArray(value)) return value.flatMap((item, index) => clean(item, [...path, String(index)], secrets) ?? []);
  return typeof value === 'string' && secrets.has(dottedPath(path)) ? undefined : value;
}

function leftOut({ path, is }: FoundSecret): Problem {
  const secret = is === 'private key' ? 'a private key' : 'a URL with a password or a token';
  return CLI_FINDINGS.secretNotMigrated({ path: dottedPath(['values', ...path]), secret });
}
