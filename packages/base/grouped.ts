/** Groups items by key, in their order. The library supports Node.js 20, which lacks `Map.groupBy`. */
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
