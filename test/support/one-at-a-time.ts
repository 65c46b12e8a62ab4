import { mkdirSync } from 'node:fs';
import { OutputLock } from '#lib/gitops/synth/output/output-lock';

const POLL_MS = 200;

/**
 * Calls a function while no other process does so for the same folder: runs of Jest in one checkout share builds.
 *
 * @param folder is created if it is missing
 */
export function oneAtATime<T>(folder: string, act: () => T): T {
  mkdirSync(folder, { recursive: true });
  let lock = OutputLock.acquire(folder);
  while (!(lock instanceof OutputLock)) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS);
    lock = OutputLock.acquire(folder);
  }
  try {
    return act();
  } finally {
    lock.release();
  }
}
