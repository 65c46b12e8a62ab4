import { textsIn } from '../../operator/api/value-texts';
import type { Problem } from '../validation/problem';
import type { Values } from './values';

/** The private keys in a chart's values. */
export function privateKeysIn(values: Values): readonly Problem[] {
  return privateKeyPaths(values).map((path) => ({
    what: `${path} holds a private key`,
    why: 'Values are written to Git, where everyone who can read the repository would have the key, for good',
    fix: `remove ${path}: cert-manager makes the key in the cluster and renews it`,
  }));
}

/** Where values hold private keys, by what they look like and by what Linkerd's charts call them. */
export function privateKeyPaths(values: Values): readonly string[] {
  return textsIn(values, 'values')
    .filter(({ path, text }) => path.endsWith('.keyPEM') || text.includes('PRIVATE KEY-----'))
    .map(({ path }) => path);
}
