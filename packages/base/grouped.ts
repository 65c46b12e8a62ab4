/** Groups items by key, in their order. `Map.groupBy` needs a newer Node.js than the library does. */
export function grouped<T>(
  entries: Iterable<readonly [key: string, item: T]>,
): ReadonlyMap<string, readonly [T, ...T[]]> {
  const groups = new Map<string, [T, ...T[]]>();
  for (const [key, item] of entries) {
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
