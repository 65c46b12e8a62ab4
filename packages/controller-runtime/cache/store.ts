import type { KubeObject } from '../objects/kube-object';

/** A change of an object in a cache. `old` is the state that the cache held before. */
export type Change<T extends KubeObject> =
  | { readonly type: 'added'; readonly object: T }
  | { readonly type: 'updated'; readonly object: T; readonly old: T }
  | { readonly type: 'deleted'; readonly object: T };

/** The names of the indexes, and the values of an object in each. */
export type Indexers<T extends KubeObject> = Readonly<Record<string, (object: T) => readonly string[]>>;

/** Objects by key, and by the values of indexes. */
export interface Store<T extends KubeObject> {
  get(key: string): T | undefined;
  list(): readonly T[];
  keys(): readonly string[];
  /** @throws if there is no index of this name */
  byIndex(index: string, value: string): readonly T[];
  set(key: string, object: T): void;
  delete(key: string): void;
}

/** Creates an empty store. */
export function createStore<T extends KubeObject>(indexers: Indexers<T> = {}): Store<T> {
  const objects = new Map<string, T>();
  const indexes = Object.entries(indexers).map(([name, valuesOf]) => ({ name, valuesOf, keys: new KeysByValue() }));

  const remove = (key: string): void => {
    const object = objects.get(key);
    if (object === undefined) return;
    for (const { valuesOf, keys } of indexes) keys.remove(valuesOf(object), key);
    objects.delete(key);
  };

  return {
    get: (key) => objects.get(key),
    list: () => [...objects.values()],
    keys: () => [...objects.keys()],
    byIndex: (name, value) => {
      const index = indexes.find((candidate) => candidate.name === name);
      if (index === undefined) throw new Error(`There is no index '${name}'`);
      return index.keys.of(value).flatMap((key) => objects.get(key) ?? []);
    },
    set: (key, object) => {
      remove(key);
      objects.set(key, object);
      for (const { valuesOf, keys } of indexes) keys.add(valuesOf(object), key);
    },
    delete: remove,
  };
}

class KeysByValue {
  private readonly sets = new Map<string, Set<string>>();

  of(value: string): readonly string[] {
    return [...(this.sets.get(value) ?? [])];
  }

  add(values: readonly string[], key: string): void {
    for (const value of values) {
      const keys = this.sets.get(value);
      if (keys === undefined) this.sets.set(value, new Set([key]));
      else keys.add(key);
    }
  }

  remove(values: readonly string[], key: string): void {
    for (const value of values) {
      const keys = this.sets.get(value);
      keys?.delete(key);
      // Otherwise empty sets for all earlier values (pod owners, …) would accumulate.
      if (keys?.size === 0) this.sets.delete(value);
    }
  }
}
