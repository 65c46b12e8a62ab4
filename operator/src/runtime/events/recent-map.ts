/** A map of what was used last. */
export interface RecentMap<T> {
  /** The value of a key, made if it is not there. */
  getOrAdd(key: string, make: () => T): T;
}

/** A map that forgets what was not used for longest when it would hold more than `size` values. */
export function createRecentMap<T>(size: number): RecentMap<T> {
  const values = new Map<string, T>();
  return {
    getOrAdd: (key, make) => {
      const value = values.has(key) ? (values.get(key) as T) : make();
      // Last in the map's order again.
      values.delete(key);
      values.set(key, value);
      if (values.size > size) {
        const [oldest] = values.keys();
        if (oldest !== undefined) values.delete(oldest);
      }
      return value;
    },
  };
}
