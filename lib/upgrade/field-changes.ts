import { isMap, type Value, type Values } from '../releases/values';
import { isSameValue } from './same-value';

/** A field of an object that is not as it was. Without `before` it is new, without `after` it is gone. */
export interface FieldChange {
  /** Dotted path; items of lists by their names: `spec.containers[policy].args`. */
  readonly path: string;
  readonly before?: Value;
  readonly after?: Value;
  /** The path that it had before, of a container that is in another list now. */
  readonly movedFrom?: string;
}

/** Maps that many write to: one that is not there is as good as an empty one. */
const OF_MANY = /\bmetadata\.(?:annotations|labels)$/;

/** The fields in which two values differ; all of one that is not there at all as one. */
export function fieldChanges(before: Value | undefined, after: Value | undefined, path = ''): readonly FieldChange[] {
  if (before === undefined && after === undefined) return [];
  // One annotation more is no news of all of them.
  const absent = OF_MANY.test(path) ? {} : undefined;
  if (before === undefined)
    return absent === undefined ? [{ path, after: after ?? null }] : fieldChanges(absent, after, path);
  if (after === undefined) return absent === undefined ? [{ path, before }] : fieldChanges(before, absent, path);
  if (isMap(before) && isMap(after)) return ofMaps(before, after, (key) => (path === '' ? key : `${path}.${key}`));
  if (Array.isArray(before) && Array.isArray(after)) return ofLists(before, after, path);
  return isSameValue(before, after) ? [] : [{ path, before, after }];
}

function ofMaps(before: Values, after: Values, pathOf: (key: string) => string): readonly FieldChange[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => fieldChanges(member(before, key), member(after, key), pathOf(key)));
}

function member(map: Values, key: string): Value | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}

/** Lists whose items have names are compared by these, others as a whole. */
function ofLists(before: readonly Value[], after: readonly Value[], path: string): readonly FieldChange[] {
  const [old, next] = [named(before), named(after)];
  if (old !== undefined && next !== undefined) return ofMaps(old, next, (name) => `${path}[${name}]`);
  return isSameValue(before, after) ? [] : [{ path, before: [...before], after: [...after] }];
}

/** The items by name; undefined where one has none, or two have the same. */
function named(list: readonly Value[]): Values | undefined {
  const items = new Map<string, Value>();
  for (const item of list) {
    const name = isMap(item) ? member(item, 'name') : undefined;
    if (typeof name !== 'string' || items.has(name)) return undefined;
    items.set(name, item);
  }
  return Object.fromEntries(items);
}

/** A path that ends with a container of a pod: what stands before its list, the list, and its name. */
const CONTAINER = /^(.*\b)(containers|initContainers)(\[[^[\]]+\])$/;

/**
 * The same changes, in which a container that goes from one list of a pod and comes in the other is one that moves, with
 * what changes in it: so proxies become native sidecars.
 */
export function withMoves(changes: readonly FieldChange[]): readonly FieldChange[] {
  const gone = new Map(changes.flatMap((change) => (change.after === undefined ? [[change.path, change]] : [])));
  const moved = new Set<FieldChange>();
  const found = changes.flatMap((change) => {
    const [, pod = '', list, name = ''] = change.before === undefined ? (CONTAINER.exec(change.path) ?? []) : [];
    const from = list && gone.get(`${pod}${list === 'containers' ? 'initContainers' : 'containers'}${name}`);
    if (!from) return [change];
    moved.add(from);
    return [{ path: change.path, movedFrom: from.path }, ...fieldChanges(from.before, change.after, change.path)];
  });
  return found.filter((change) => !moved.has(change));
}
