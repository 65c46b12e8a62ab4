import type { WorkqueueObserver } from '../telemetry/workqueue-observer';

/** Due keys, in the order in which they became due, and keys in progress. No key is in progress twice. */
export interface KeySet {
  /** Makes the key due, once. A key in progress becomes due when it is done. */
  add(key: string): void;
  /** Returns the key that has been due for longest, now in progress; undefined after the shutdown. */
  take(): Promise<string | undefined>;
  done(key: string): void;
  /** Returns no more keys. Resolves when none is in progress. */
  shutDown(): Promise<void>;
}

/** Creates an empty set of keys. */
export function createKeySet(observer?: Omit<WorkqueueObserver, 'retried'>): KeySet {
  const due = new Map<string, number>();
  const working = new Map<string, number>();
  const again = new Set<string>();
  const workers: ((key: string | undefined) => void)[] = [];
  const idle = Promise.withResolvers<void>();
  let ended = false;

  const begin = (key: string): string => {
    const now = performance.now();
    observer?.taken((now - (due.get(key) ?? now)) / 1000);
    due.delete(key);
    working.set(key, now);
    observer?.depth(due.size);
    return key;
  };
  const put = (key: string): void => {
    due.set(key, performance.now());
    const worker = workers.shift();
    if (worker === undefined) observer?.depth(due.size);
    else worker(begin(key));
  };
  return {
    add: (key) => {
      if (ended || due.has(key) || again.has(key)) return;
      observer?.added();
      if (working.has(key)) again.add(key);
      else put(key);
    },
    take: () => {
      if (ended) return Promise.resolve(undefined);
      const [key] = due.keys();
      return key === undefined ? new Promise((resolve) => workers.push(resolve)) : Promise.resolve(begin(key));
    },
    done: (key) => {
      const now = performance.now();
      observer?.done((now - (working.get(key) ?? now)) / 1000);
      working.delete(key);
      if (again.delete(key)) put(key);
      if (ended && working.size === 0) idle.resolve();
    },
    shutDown: () => {
      ended = true;
      for (const worker of workers.splice(0)) worker(undefined);
      if (working.size === 0) idle.resolve();
      return idle.promise;
    },
  };
}
