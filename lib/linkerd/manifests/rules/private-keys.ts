import { privateKeyPaths } from '../../../helm/private-keys';
import type { Values } from '../../../helm/values';
import type { Problem } from '../../../validation/problem';

/** Where values hold a private key, which would stand in manifests, and so in Git. */
export function privateKeyProblems(values: Values): readonly Problem[] {
  return privateKeyPaths(values).map((path) => ({
    what: `${path} holds a private key`,
    why: 'Values and manifests are kept in Git, where everyone who can read the repository would have the key, for good',
    fix: 'Keep it in a Secret that cert-manager or another tool makes in the cluster',
  }));
}
