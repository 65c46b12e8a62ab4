import { performance } from 'node:perf_hooks';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const CHECK_MS = 2_000;
/** The part of that time in which a quiet process may have done something. */
const QUIET = 0.05;
/** Growth of the heap since the last collection that is worth another one. */
const WORTH_BYTES = 2 ** 20;
/** A larger heap takes so long to collect that somebody may wait for it. V8 collects it by itself, by growth. */
const MOST_BYTES = 64 * 2 ** 20;

/** A process, as it is looked at. */
interface Observed {
  /** The part of the time since the last call in which the event loop was busy, between 0 and 1. */
  readonly busy: () => number;
  readonly heapBytes: () => number;
  /** Collects all that nobody needs, and gives its pages back. */
  readonly collect: () => void;
}

interface GiveBackOptions {
  /** The time between two looks, and for which the process has to have been quiet. @default 2,000 */
  readonly checkMs?: number;
  /** @default - this process */
  readonly observed?: Observed;
}

/**
 * Gives back what a burst of work has left behind, once the process is quiet. V8 collects by growth: the heap of a process
 * that has nothing to do stays as large as the last burst made it. A collection takes 30 ms, and code that was compiled
 * for the burst has to be compiled again: while there is work, it would be felt.
 *
 * @returns what ends it
 */
export function giveBackMemory({ checkMs = CHECK_MS, observed = thisProcess() }: GiveBackOptions = {}): () => void {
  const { busy, heapBytes, collect } = observed;
  let left = 0;
  const check = (): void => {
    const isQuiet = busy() < QUIET;
    const bytes = heapBytes();
    if (!isQuiet || bytes < left + WORTH_BYTES || bytes > MOST_BYTES) return;
    collect();
    left = heapBytes();
  };
  const timer = setInterval(check, checkMs).unref();
  return () => clearInterval(timer);
}

function thisProcess(): Observed {
  let last = performance.eventLoopUtilization();
  // Node hands the collector out at its start only; a context that is made after this has it as well.
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
