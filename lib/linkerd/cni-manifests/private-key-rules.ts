import { isMap, type Value, type Values } from '../../helm/values';
import type { Problem } from '../../validation/problem';

/** Where values hold a private key, which would stand in manifests, and so in Git. */
export function privateKeyProblems(values: Values): readonly Problem[] {
  return pathsOfKeys(values, 'values').map((path) => ({
    what: `${path} holds a private key`,
    why: 'Values and manifests are kept in Git, where everyone who can read the repository would have the key, for good',
    fix: 'Keep it in a Secret that cert-manager or another tool makes in the cluster',
  }));
}

function pathsOfKeys(value: Value | undefined, path: string): readonly string[] {
  if (typeof value === 'string') return isKey(value, path) ? [path] : [];
  if (Array.isArray(value)) return value.flatMap((item, index) => pathsOfKeys(item, `${path}[${index}]`));
  if (!isMap(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => pathsOfKeys(item, `${path}.${key}`));
}

function isKey(text: string, path: string): boolean {
  return text.includes('PRIVATE KEY-----') || (path.endsWith('.keyPEM') && text.trim() !== '');
}
