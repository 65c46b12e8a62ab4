import { createHash } from 'node:crypto';

/**
 * A hash of what data says, whatever the order of its keys. Descriptions do not count: a copy of a CRD without them
 * stands for the same API.
 */
export function fingerprint(data: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(canonical(data)) ?? '')
    .digest('hex');
}

function canonical(data: unknown): unknown {
  if (Array.isArray(data)) return data.map(canonical);
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(
    Object.entries(data)
      .filter(([key, value]) => !(key === 'description' && typeof value === 'string'))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, value]) => [key, canonical(value)]),
  );
}
