import { MAP_KEYS, resolveSchema, type Schema, schemaAddress, schemaAt } from '../../kubernetes/schemas/schema-store';
import { isMap, memberOf, type Value } from '../../kubernetes/values';

/** The fields by which an item of a list is told from others, and their values: `{"name": "policy"}`. */
export type ItemKey = Readonly<Record<string, string | number | boolean>>;

/** The items of a list by their keys as text, in order. */
export type KeyedItems = ReadonlyMap<string, { readonly key: ItemKey; readonly value: Value }>;

/** The schema of an object's kind; undefined where none is known. */
export function schemaOfKind(apiVersion: unknown, kind: unknown): Schema | undefined {
  const address = schemaAddress(`${apiVersion}/${kind}`);
  return address === undefined ? undefined : schemaAt(address);
}

/** The schema of a member of a map, or of the items of a list. */
export function schemaBelow(schema: Schema | undefined, key: string | undefined): Schema | undefined {
  if (schema === undefined) return undefined;
  const { properties, additionalProperties, items } = resolveSchema(schema);
  if (key === undefined) return items;
  if (properties !== undefined && Object.hasOwn(properties, key)) return properties[key];
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

/**
 * The fields by which the items of a list are told apart: those of server-side apply, where the schema of the list says
 * them, else the name.
 */
export function keysOfItems(schema: Schema | undefined): readonly string[] {
  const keys = schema === undefined ? undefined : resolveSchema(schema)[MAP_KEYS];
  return keys === undefined || keys.length === 0 ? ['name'] : keys;
}

/** The value that the API server takes for a key that an item lacks. */
const DEFAULTS: Readonly<Record<string, string>> = { protocol: 'TCP' };

/** The items of a list by their keys; undefined where one has none, or two have the same. */
export function keyedItems(list: readonly Value[], keys: readonly string[]): KeyedItems | undefined {
  const items = new Map<string, { key: ItemKey; value: Value }>();
  for (const value of list) {
    const key = keyOf(value, keys);
    const text = JSON.stringify(key);
    if (key === undefined || items.has(text)) return undefined;
    items.set(text, { key, value });
  }
  return items;
}

function keyOf(item: Value, keys: readonly string[]): ItemKey | undefined {
  if (!isMap(item)) return undefined;
  const members = keys.map((name) => [name, memberOf(item, name) ?? DEFAULTS[name]] as const);
  return members.every(([, value]) => isScalar(value))
    ? (Object.fromEntries(members) as Record<string, string | number | boolean>)
    : undefined;
}

function isScalar(value: Value | undefined): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}
