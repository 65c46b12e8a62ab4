import { isObject } from '#base/is-object';

/** The fields by which server-side apply identifies the items of a list; empty if it compares the items themselves. */
export type ListKeys = readonly string[];

/** The protocol of ports is the only key with a non-empty default in Kubernetes. */
const DEFAULTS: Readonly<Record<string, unknown>> = { protocol: 'TCP' };

/** Returns the indexes of the first two items of a list that server-side apply considers equal, or undefined. */
export function sameItems(list: readonly unknown[], keys: ListKeys): readonly [number, number] | undefined {
  if (list.length < 2) return undefined;
  const seen = new Map<string, number>();
  for (const [index, item] of list.entries()) {
    const identity = identityOf(item, keys);
    const first = seen.get(identity);
    if (first !== undefined) return [first, index];
    seen.set(identity, index);
  }
  return undefined;
}

function identityOf(item: unknown, keys: ListKeys): string {
  if (keys.length === 0) return JSON.stringify(item) ?? '';
  const fields = isObject(item) ? item : {};
  const [key = ''] = keys;
  return keys.length === 1 ? textOf(fields, key) : JSON.stringify(keys.map((name) => textOf(fields, name)));
}

/** Returns the value of a key of an item, or its default; undefined without either. */
export function keyOf(fields: Readonly<Record<string, unknown>>, key: string): unknown {
  return (Object.hasOwn(fields, key) ? fields[key] : undefined) ?? DEFAULTS[key];
}

function textOf(fields: Readonly<Record<string, unknown>>, key: string): string {
  const value = keyOf(fields, key) ?? '';
  return typeof value === 'string' ? `"${value}` : (JSON.stringify(value) ?? '');
}
