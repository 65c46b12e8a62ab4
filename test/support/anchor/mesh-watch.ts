import { type LiveMesh, type MeshReport, type Verification, verifyMesh } from './verify-mesh';
import { startWorker } from './worker';

/** The looks at a mesh over time. */
export interface MeshWatch {
  /** A sentence for each kind of failure, with the first and the last look that saw it, in milliseconds since the start. */
  failures(): readonly string[];
  /** The last look. */
  last(): MeshReport | undefined;
  readonly looks: () => number;
  /** The different things that were verified, at the first and the last moment of each: for Go. */
  samples(): readonly Verification[];
  stop(): Promise<void>;
}

/** The differences of one watch from another. */
export interface MeshWatchOptions {
  /** @default 250 */
  readonly intervalMs?: number;
  /** A proxy that has no leaf after this time, and after ten requests, counts as a failure. @default 10,000 */
  readonly startWithinMs?: number;
}

/** A proxy asks each fifth of a second: one that has asked less often was held up by the machine. */
const REQUESTS = 10;

/** Looks at all pairs again and again: what does not understand each other for a moment between is found as well. */
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
