import { performance } from 'node:perf_hooks';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const CHECK_MS = 2_000;
/** The maximum share of the time between two checks in which a quiet process is busy. */
const QUIET = 0.05;
/** Minimum growth of the heap since the last collection to collect again. */
const WORTH_BYTES = 2 ** 20;
/** A larger heap takes too long to collect, which would delay requests. V8 itself collects it after growth. */
const MAX_BYTES = 64 * 2 ** 20;

interface Observed {
  /** Returns the share of the time since the last call in which the event loop was busy, between 0 and 1. */
  readonly busy: () => number;
  readonly heapBytes: () => number;
  readonly collect: () => void;
}

interface GiveBackOptions {
  /** The time between two checks, for which the process must have been quiet. @default 2,000 */
  readonly checkMs?: number;
  /** @default - this process */
  readonly observed?: Observed;
}

/**
 * Returns the memory of a burst of work to the system, once the process is quiet. V8 collects by growth: the heap of an
 * idle process stays as large as after the last burst. A collection takes 30 ms, and code that was compiled for the
 * burst has to be compiled again, which would be noticeable during work.
 *
 * @returns a function that ends it
 */
export function giveBackMemory({ checkMs = CHECK_MS, observed = thisProcess() }: GiveBackOptions = {}): () => void {
  const { busy, heapBytes, collect } = observed;
  let left = 0;
  const check = (): void => {
    const isQuiet = busy() < QUIET;
    const bytes = heapBytes();
    if (!isQuiet || bytes < left + WORTH_BYTES || bytes > MAX_BYTES) return;
    collect();
    left = heapBytes();
  };
  const timer = setInterval(check, checkMs).unref();
  return () => clearInterval(timer);
}

function thisProcess(): Observed {
  let last = performance.eventLoopUtilization();
  // Node exposes the collector only at its start, but a context that is created after this call also has it.
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as NonNullable<typeof globalThis.gc>;
  return {
    busy: () => {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, last);
      last = now;
      return utilization;
    },
    heapBytes: () => getHeapStatistics().total_heap_size,
    collect: () => gc({ type: 'major', execution: 'sync', flavor: 'last-resort' }),
  };
}
