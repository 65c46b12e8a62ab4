/** Receives what happens to the keys of a workqueue, for metrics. */
export interface WorkqueueObserver {
  /** The number of keys that are due and wait for a worker. */
  depth(keys: number): void;
  /** A key was added. */
  added(): void;
  /** A key was taken this many seconds after it was due. */
  taken(waitedSeconds: number): void;
  /** The work on a key ended after this many seconds. */
  done(workedSeconds: number): void;
  /** A key whose processing failed is to be processed again. */
  retried(): void;
}
