import type { Problem } from '../../../problems/problem';
import type { Values } from '../../../releases/values';
import { privateKeyPaths } from '../../private-keys';

/** Reports where values hold a private key, which would stand in manifests, and so in Git. */
export function checkPrivateKeys(values: Values): readonly Problem[] {
  return privateKeyPaths(values).map((path) => ({
    what: `${path} holds a private key`,
    why: 'Values and manifests are kept in Git, where everyone who can read the repository would have the key, for good',
    fix: 'Keep it in a Secret that cert-manager or another tool makes in the cluster',
  }));
}
