import type { WorkqueueObserver } from '../telemetry/workqueue-observer';
import { type Backoff, backoffDelayMs } from '../timing/backoff';
import { createTokenBucket, type TokenBucketOptions } from '../timing/token-bucket';
import { createKeySet } from './key-set';

/** Keys to process: each at most once at a time, and once more if it was added while it was processed. */
export interface Workqueue {
  /** Requests processing of the key, once, as soon as a worker is free. */
  add(key: string): void;
  /** Requests it after this many milliseconds. An earlier time of the same key wins. */
  addAfter(key: string, delayMs: number): void;
  /** Requests it after the key's backoff: for a key whose processing failed. */
  addRateLimited(key: string): void;
  /** Resets the key's backoff: for a key whose processing succeeded. */
  forget(key: string): void;
  /** Returns the next key, whose processing ends with `done`; undefined once the queue is shut down. */
  take(): Promise<string | undefined>;
  done(key: string): void;
  /** Returns no more keys. Resolves when the last key that was taken is done. */
  shutDown(): Promise<void>;
}

/** As in client-go. */
const BACKOFF: Backoff = { baseMs: 5, maxMs: 1_000_000 };
/** As in client-go. */
const RETRIES: TokenBucketOptions = { perSecond: 10, burst: 100 };

/** Creates an empty queue. */
export function createWorkqueue(observer?: WorkqueueObserver): Workqueue {
  const retries = createTokenBucket(RETRIES);
  const failures = new Map<string, number>();
  const keys = createKeySet(observer);
  const later = createDelayedKeys(keys.add);
  return {
    add: keys.add,
    addAfter: later.add,
    addRateLimited: (key) => {
      const count = (failures.get(key) ?? 0) + 1;
      failures.set(key, count);
      observer?.retried();
      later.add(key, Math.max(backoffDelayMs(BACKOFF, count), retries.reserve()));
    },
    forget: (key) => void failures.delete(key),
    take: keys.take,
    done: keys.done,
    shutDown: () => {
      later.clear();
      return keys.shutDown();
    },
  };
}

/** Keys that become due later. */
interface DelayedKeys {
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
