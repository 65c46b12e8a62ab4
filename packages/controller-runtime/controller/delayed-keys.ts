/** Keys that become due later. */
export interface DelayedKeys {
  /** Makes the key due in this many milliseconds, if it is not due before. */
  add(key: string, delayMs: number): void;
  /** Drops all keys, and accepts no more. */
  clear(): void;
}

/** setTimeout fires at once for more than this: a longer delay is split. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** Calls `due` with each key when its time has come: at once without a delay. */
export function createDelayedKeys(due: (key: string) => void): DelayedKeys {
  const waiting = new Map<string, { readonly at: number; readonly timer: NodeJS.Timeout }>();
  let cleared = false;
  const wait = (key: string, at: number): void => {
    const remainingMs = at - performance.now();
    const timer = setTimeout(() => end(key, at), Math.min(Math.max(remainingMs, 0), MAX_TIMEOUT_MS));
    waiting.set(key, { at, timer });
  };
  const end = (key: string, at: number): void => {
    if (at - performance.now() > 1) wait(key, at);
    else {
      waiting.delete(key);
      due(key);
    }
  };
  return {
    add: (key, delayMs) => {
      if (cleared) return;
      if (delayMs <= 0) return due(key);
      const at = performance.now() + delayMs;
      const known = waiting.get(key);
      if (known !== undefined && known.at <= at) return;
      clearTimeout(known?.timer);
      wait(key, at);
    },
    clear: () => {
      cleared = true;
      for (const { timer } of waiting.values()) clearTimeout(timer);
      waiting.clear();
    },
  };
}
