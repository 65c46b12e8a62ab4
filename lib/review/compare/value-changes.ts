import { isSameValue } from '#base/same-value';
import { isMap, memberOf, type Value, type Values } from '#base/values';
import { keyOf as keyWithDefault } from '#kubernetes/objects/list-keys';
import { MAP_KEYS, resolveSchema, type Schema, schemaAddress, schemaAt } from '#kubernetes/schemas/schema-store';

/** A step of a path: the key of a map, the index of a list item, or the fields that identify a list item. */
export type PathStep = string | number | ItemKey;

/** The path from the root of a value to one of its fields. */
export type ValuePath = readonly PathStep[];

/**
 * A difference between two values. Applying all differences to the first value gives the second value, apart from the
 * order of map keys.
 */
export type ValueChange =
  | { readonly op: 'added'; readonly path: ValuePath; readonly after: Value }
  | { readonly op: 'removed'; readonly path: ValuePath; readonly before: Value }
  | { readonly op: 'changed'; readonly path: ValuePath; readonly before: Value; readonly after: Value }
  /** A list with keyed items gets another order. One item added at the end does not change the order. */
  | {
      readonly op: 'reordered';
      readonly path: ValuePath;
      readonly before: readonly ItemKey[];
      readonly after: readonly ItemKey[];
    };

/** Returns the differences between two values. List items are matched by the keys in their schema, or by `name`. */
export function valueChanges(
  before: Value | undefined,
  after: Value | undefined,
  schema?: Schema,
): readonly ValueChange[] {
  return changesAt([], { before, after, schema });
}

interface Compared {
  readonly before: Value | undefined;
  readonly after: Value | undefined;
  readonly schema: Schema | undefined;
}

function changesAt(path: ValuePath, { before, after, schema }: Compared): readonly ValueChange[] {
  if (before === after) return [];
  if (before === undefined) return after === undefined ? [] : [{ op: 'added', path, after }];
  if (after === undefined) return [{ op: 'removed', path, before }];
  if (isMap(before) && isMap(after)) return ofMaps(path, before, after, schema);
  if (Array.isArray(before) && Array.isArray(after)) return ofLists(path, before, after, schema);
  return isSameValue(before, after) ? [] : [{ op: 'changed', path, before, after }];
}

function ofMaps(path: ValuePath, before: Values, after: Values, schema: Schema | undefined): readonly ValueChange[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) =>
    changesAt([...path, key], {
      before: memberOf(before, key),
      after: memberOf(after, key),
      schema: schemaBelow(schema, key),
    }),
  );
}

function ofLists(
  path: ValuePath,
  before: readonly Value[],
  after: readonly Value[],
  schema: Schema | undefined,
): readonly ValueChange[] {
  if (isSameValue([...before], [...after])) return [];
  const keys = keysOfItems(schema);
  const [old, next] = [keyedItems(before, keys), keyedItems(after, keys)];
  const items = schemaBelow(schema, undefined);
  if (old !== undefined && next !== undefined && old.size + next.size > 0) return ofItems(path, old, next, items);
  return isByIndex(before, after)
    ? before.flatMap((item, index) => changesAt([...path, index], { before: item, after: after[index], schema: items }))
    : [{ op: 'changed', path, before: [...before], after: [...after] }];
}

/** Whether two lists of maps have the same length, and differ in few items and few members. */
function isByIndex(before: readonly Value[], after: readonly Value[]): boolean {
  if (before.length !== after.length) return false;
  const different = before.flatMap((item, index) => (isSameValue(item, after[index]) ? [] : [index]));
  const isEdit = (index: number) => isEdited(before[index], after[index], before.length);
  return (different.length === 1 || different.length * 2 <= before.length) && different.every(isEdit);
}

/** A map that is the only item of its list is always compared in place. */
function isEdited(before: Value | undefined, after: Value | undefined, count: number): boolean {
  if (!isMap(before) || !isMap(after)) return false;
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const same = keys.filter((key) => isSameValue(memberOf(before, key), memberOf(after, key))).length;
  return count === 1 || same * 2 > keys.length;
}

function ofItems(
  path: ValuePath,
  before: KeyedItems,
  after: KeyedItems,
  schema: Schema | undefined,
): readonly ValueChange[] {
  const names = [...new Set([...before.keys(), ...after.keys()])];
  const changes = names.flatMap((name) => {
    const [old, next] = [before.get(name), after.get(name)];
    const { key } = old ?? next ?? { key: {} };
    return changesAt([...path, key], { before: old?.value, after: next?.value, schema });
  });
  const kept = names.filter((name) => after.has(name));
  const order = [...after.keys()];
  const isOneAtMost = order.filter((name) => !before.has(name)).length <= 1;
  if (isOneAtMost && kept.every((name, index) => name === order[index])) return changes;
  const keysOf = (items: KeyedItems) => [...items.values()].map(({ key }) => key);
  return [...changes, { op: 'reordered', path, before: keysOf(before), after: keysOf(after) }];
}

/** Whether a value is a string of several lines. */
export function isLines(value: Value): value is string {
  return typeof value === 'string' && value.trim().includes('\n');
}

/** Formats a path: `spec.containers[policy].args`. */
export function pathText(path: ValuePath): string {
  return path
    .map((step, index) => {
      if (typeof step === 'number') return `[${step}]`;
      if (typeof step === 'object') return `[${Object.values(step).join('/')}]`;
      return index === 0 ? step : `.${step}`;
    })
    .join('');
}

type ItemKey = Readonly<Record<string, string | number | boolean>>;

type KeyedItems = ReadonlyMap<string, { readonly key: ItemKey; readonly value: Value }>;

/** Returns the schema of an object's kind; undefined for an unknown kind. */
export function schemaOfKind(apiVersion: unknown, kind: unknown): Schema | undefined {
  const address = schemaAddress(`${apiVersion}/${kind}`);
  return address === undefined ? undefined : schemaAt(address);
}

function schemaBelow(schema: Schema | undefined, key: string | undefined): Schema | undefined {
  if (schema === undefined) return undefined;
  const { properties, additionalProperties, items } = resolveSchema(schema);
  if (key === undefined) return items;
  if (properties !== undefined && Object.hasOwn(properties, key)) return properties[key];
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

/** Returns the keys that identify items for server-side apply, if the list's schema has them, else `name`. */
function keysOfItems(schema: Schema | undefined): readonly string[] {
  const keys = schema === undefined ? undefined : resolveSchema(schema)[MAP_KEYS];
  return keys === undefined || keys.length === 0 ? ['name'] : keys;
}

/** Returns undefined if an item has no key, or if two items have the same key. */
function keyedItems(list: readonly Value[], keys: readonly string[]): KeyedItems | undefined {
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
  const members = keys.map((name) => [name, keyWithDefault(item, name)] as const);
  return members.every(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
    ? (Object.fromEntries(members) as Record<string, string | number | boolean>)
    : undefined;
}
