import { isSameValue } from '../../gitops/changes/same-value';
import type { Schema } from '../../kubernetes/schemas/schema-store';
import { isMap, memberOf, type Value, type Values } from '../../kubernetes/values';
import { type ItemKey, type KeyedItems, keyedItems, keysOfItems, schemaBelow } from './list-items';

/** A step of a path: the key of a map, the index of an item of a list, or the fields by which an item is known. */
export type PathStep = string | number | ItemKey;

/** The way from the top of a value to one of its fields. */
export type ValuePath = readonly PathStep[];

/**
 * A difference of two values. All of them, applied to the first value, make the second one of it, but for the order of
 * the keys of maps, which means nothing.
 */
export type ValueChange =
  | { readonly op: 'added'; readonly path: ValuePath; readonly after: Value }
  | { readonly op: 'removed'; readonly path: ValuePath; readonly before: Value }
  | { readonly op: 'changed'; readonly path: ValuePath; readonly before: Value; readonly after: Value }
  /** The order of a list whose items have keys, where it is not that of before with one item at most at its end. */
  | {
      readonly op: 'reordered';
      readonly path: ValuePath;
      readonly before: readonly ItemKey[];
      readonly after: readonly ItemKey[];
    };

/** The differences of two values. Items of lists are compared by their keys, by a schema if one is known. */
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

/** Tells lists of maps of which few items differ, each in its place, and in few members. */
function isByIndex(before: readonly Value[], after: readonly Value[]): boolean {
  if (before.length !== after.length) return false;
  const different = before.flatMap((item, index) => (isSameValue(item, after[index]) ? [] : [index]));
  const isEdit = (index: number) => isEdited(before[index], after[index], before.length);
  return (different.length === 1 || different.length * 2 <= before.length) && different.every(isEdit);
}

/** Tells a map of which most members are as before; that of a list of one is the same one anyway. */
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

/** A path as people write it: `spec.containers[policy].args`. */
export function pathText(path: ValuePath): string {
  return path
    .map((step, index) => {
      if (typeof step === 'number') return `[${step}]`;
      if (typeof step === 'object') return `[${Object.values(step).join('/')}]`;
      return index === 0 ? step : `.${step}`;
    })
    .join('');
}
