import { setTimeout as timeout } from 'node:timers/promises';

/** Resolves after this many milliseconds; rejects with the signal's reason when that comes first. */
export async function delay(ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await timeout(ms, undefined, { signal });
  } catch (error) {
    // Node's own AbortError hides why it was aborted.
    signal?.throwIfAborted();
    throw error;
  }
}
