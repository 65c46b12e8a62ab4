import { isMap, type Value, type Values } from '../../helm/values';
import type { Problem } from '../../validation/problem';

/** Values, and what had to be left out of them. */
export interface CleanValues {
  readonly values: Values;
  readonly warnings: readonly Problem[];
}

/** Leaves out private keys, which must not come into a program that is kept in Git. */
export function withoutSecrets(values: Values): CleanValues {
  const warnings: Problem[] = [];
  const cleaned = cleanMap(values, '', (path) => warnings.push(leftOut(path)));
  return { values: cleaned, warnings };
}

function cleanMap(values: Values, prefix: string, report: (path: string) => void): Values {
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) => {
      const kept = value === undefined ? undefined : clean(value, `${prefix}${key}`, report);
      return kept === undefined ? [] : [[key, kept]];
    }),
  );
}

function clean(value: Value, path: string, report: (path: string) => void): Value | undefined {
  if (isMap(value)) return cleanMap(value, `${path}.`, report);
  if (Array.isArray(value)) return value.flatMap((item, index) => clean(item, `${path}[${index}]`, report) ?? []);
  if (typeof value !== 'string' || !isSecret(value, path)) return value;
  report(path);
  return undefined;
}

function isSecret(text: string, path: string): boolean {
  return text.includes('PRIVATE KEY-----') || (/(?:^|\.)keyPEM$/.test(path) && text.trim() !== '');
}

function leftOut(path: string): Problem {
  return {
    what: `values.${path} holds a private key and is left out`,
    why: 'Programs are kept in Git, where everyone who can read the repository would have the key, for good',
    fix: 'let cert-manager make the key in the cluster; renew one that was in Git already',
  };
}
