import { createHash } from 'node:crypto';
import { canonicalJson } from '#base/canonical-json';
import { isObject } from '#base/is-object';

/**
 * A hash of data that does not depend on the order of its keys. It ignores descriptions, because a copy of a CRD
 * without descriptions is the same API.
 */
export function fingerprint(data: unknown): string {
  return createHash('sha256')
    .update(canonicalJson(withoutDescriptions(data)))
    .digest('hex');
}

/** Returns data without the descriptions of schemas in it. */
export function withoutDescriptions(data: unknown): unknown {
  if (Array.isArray(data)) return data.map(withoutDescriptions);
  if (!isObject(data)) return data;
  const members = Object.entries(data).filter(([key, value]) => key !== 'description' || typeof value !== 'string');
  return Object.fromEntries(members.map(([key, value]) => [key, withoutDescriptions(value)]));
}
