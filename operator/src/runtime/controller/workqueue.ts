import type { WorkqueueObserver } from '../telemetry/workqueue-observer';
import { type Backoff, backoffDelayMs } from '../timing/backoff';
import { createTokenBucket, type TokenBucketOptions } from '../timing/token-bucket';
import { createDelayedKeys } from './delayed-keys';
import { createKeySet } from './key-set';

/** Keys to be processed: each at most once at a time, and once more if it was added while it was processed. */
export interface Workqueue {
  /** Asks for the key to be processed, once, as soon as a worker is free. */
  add(key: string): void;
  /** Asks for the same, but not before this many milliseconds have passed. An earlier date of the same key wins. */
  addAfter(key: string, delayMs: number): void;
  /** Asks for the same after the key's backoff: for a key whose processing failed. */
  addRateLimited(key: string): void;
  /** Starts the key's backoff anew: for a key whose processing succeeded. */
  forget(key: string): void;
  /** The next key, whose processing ends with `done`; undefined once the queue is shut down. */
  take(): Promise<string | undefined>;
  done(key: string): void;
  /** Gives out no more keys. Resolves when the last one that was taken is done. */
  shutDown(): Promise<void>;
}

/** The delay of a failing key: client-go's. */
const BACKOFF: Backoff = { baseMs: 5, maxMs: 1_000_000 };
/** The retries of all failing keys together: client-go's. */
const RETRIES: TokenBucketOptions = { perSecond: 10, burst: 100 };

/** An empty queue. */
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
