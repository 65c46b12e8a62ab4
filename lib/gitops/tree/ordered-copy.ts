import { Lazy } from 'cdk8s';
import { sortedKeys } from '../../kubernetes/key-order';
import { MOST_NESTED } from '../../kubernetes/plain-data';

/** The mark of what cannot be copied here, and may yet be something to cdk8s. */
const NOT_PLAIN = Symbol('not plain');

/** The place of a value in its object. */
export interface Place {
  /** Tells whether what is empty is left out, as cdk8s does in metadata only. */
  readonly isMetadata: boolean;
  readonly depth: number;
}

/** A copy with its keys in order and without what is null, as cdk8s makes it. */
export function orderedCopy(value: unknown, place: Place): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'undefined':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : NOT_PLAIN;
    case 'object':
      if (value === null) return undefined;
      if (place.depth > MOST_NESTED) return NOT_PLAIN;
      if (value instanceof Lazy) return orderedCopy(value.produce(), { ...place, depth: place.depth + 1 });
      return Array.isArray(value) ? listOf(value, place) : mapOf(value, place);
    default:
      return NOT_PLAIN;
  }
}

function listOf(list: readonly unknown[], { isMetadata, depth }: Place): unknown {
  if (isMetadata && list.length === 0) return undefined;
  const inside = { isMetadata, depth: depth + 1 };
  const copy: unknown[] = [];
  for (const item of list) {
    const copied = orderedCopy(item, inside);
    if (copied === NOT_PLAIN || copied === undefined) return NOT_PLAIN;
    copy.push(copied);
  }
  return copy;
}

function mapOf(map: object, { isMetadata, depth }: Place): unknown {
  // A key of these names means something else to JavaScript or to cdk8s.
  if (map.constructor !== Object || 'resolve' in map || Object.hasOwn(map, '__proto__')) return NOT_PLAIN;
  const inside = { isMetadata, depth: depth + 1 };
  const copy: Record<string, unknown> = {};
  let isEmpty = true;
  for (const key of sortedKeys(map)) {
    const copied = orderedCopy((map as Readonly<Record<string, unknown>>)[key], inside);
    if (copied === NOT_PLAIN) return NOT_PLAIN;
    if (copied === undefined) continue;
    copy[key] = copied;
    isEmpty = false;
  }
  return isMetadata && isEmpty ? undefined : copy;
}
