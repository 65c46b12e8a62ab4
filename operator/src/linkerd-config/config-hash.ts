import { createHash } from 'node:crypto';
import { canonicalJson } from '../../api/canonical-json';
import type { Values } from '../../api/values-merge';

/** Enough of a SHA-256 to tell the configurations of one mesh apart, and short enough to read. */
const LENGTH = 16;

/** What values amount to, whatever the order of their keys and the style of their YAML: 16 hexadecimal digits. */
export function configHash(values: Values): string {
  return createHash('sha256').update(canonicalJson(values)).digest('hex').slice(0, LENGTH);
}
