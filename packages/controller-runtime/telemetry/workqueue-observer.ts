/** Receives the events of a workqueue, for metrics. */
export interface WorkqueueObserver {
  /** The number of due keys that wait for a worker. */
  depth(keys: number): void;
  /** A key was added. */
  added(): void;
  /** A key was taken this many seconds after it was due. */
  taken(waitedSeconds: number): void;
  /** The processing of a key ended after this many seconds. */
  done(workedSeconds: number): void;
  /** A key whose processing failed will be retried. */
  retried(): void;
}
