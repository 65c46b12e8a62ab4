import { type LiveMesh, type MeshReport, type Verification, verifyMesh } from './verify-mesh';
import { startWorker } from './worker';

/** Repeated checks of a mesh. */
export interface MeshWatch {
  /** A sentence for each kind of failure, with its first and last time in milliseconds since the start. */
  failures(): readonly string[];
  /** The report of the last check. */
  last(): MeshReport | undefined;
  readonly looks: () => number;
  /** The first and the last verification of each pair of chain and roots, for `verifyWithGo`. */
  samples(): readonly Verification[];
  stop(): Promise<void>;
}

/** Options of a watch. */
export interface MeshWatchOptions {
  /** @default 250 */
  readonly intervalMs?: number;
  /** A proxy without a leaf after this time, and after ten requests, counts as a failure. @default 10,000 */
  readonly startWithinMs?: number;
}

/** A proxy requests a leaf each fifth of a second. One with fewer requests was slowed down by the machine. */
const REQUESTS = 10;

/** Verifies all pairs of proxies at an interval, to find failures that last only for a moment, too. */
export function watchMesh(mesh: LiveMesh, options: MeshWatchOptions = {}): MeshWatch {
  const { intervalMs = 250, startWithinMs = 10_000 } = options;
  const begin = Date.now();
  const failures = new Map<string, { readonly text: string; readonly first: number; last: number; count: number }>();
  const samples = new Map<string, { readonly first: Verification; last: Verification }>();
  let last: MeshReport | undefined;
  let looks = 0;
  const look = async (): Promise<void> => {
    const report = verifyMesh(mesh);
    last = report;
    looks += 1;
    const late = report.starting
      .filter(({ sinceMs, asked }) => sinceMs > startWithinMs && asked > REQUESTS)
      .map(({ name, failure }) => `${name} has no certificate: ${failure}`);
    const since = Date.now() - begin;
    for (const text of [...report.failures, ...late]) {
      const key = text.replace(/[\d.]+ s\b/g, 's');
      const known = failures.get(key) ?? { text, first: since, last: since, count: 0 };
      known.last = since;
      known.count += 1;
      failures.set(key, known);
    }
    for (const sample of report.samples) {
      const key = `${sample.chain.slice(sample.chain.indexOf('-----END'))}/${sample.roots}`;
      const known = samples.get(key) ?? { first: sample, last: sample };
      known.last = sample;
      samples.set(key, known);
    }
  };
  const worker = startWorker(look, { idleMs: intervalMs });
  return {
    failures: () =>
      [...failures.values()].map(({ text, first, last: end, count }) => `${text} (${count}x, ${first}..${end} ms)`),
    last: () => last,
    looks: () => looks,
    samples: () => [...samples.values()].flatMap((sample) => [sample.first, sample.last]),
    stop: () => worker.stop(),
  };
}
