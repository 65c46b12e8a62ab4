import type { JsonSchema } from './json-schema';

/** Formats that the API server enforces, and `packages/kubernetes/schemas/schema-formats.ts` checks. */
const CHECKED = ['byte', 'duration', 'int32', 'int64'];

/** Returns the format of a value, if that is checked. */
export function formatOf({ format }: JsonSchema): JsonSchema {
  return typeof format === 'string' && CHECKED.includes(format) ? { format } : {};
}

const LIST_TYPE = 'x-kubernetes-list-type';
const MAP_KEYS = 'x-kubernetes-list-map-keys';

/**
 * Returns how a list merges, if that forbids equal items: as a set, or as a map by some of the items'
 * fields.
 */
export function listTypeOf(schema: JsonSchema): JsonSchema {
  switch (schema[LIST_TYPE]) {
    case 'set':
      return { [LIST_TYPE]: 'set' };
    case 'map':
      return { [MAP_KEYS]: schema[MAP_KEYS] };
    default:
      return {};
  }
}
