import type { Kubectl } from './kubectl';

interface Count {
  readonly ok: number;
  /** Failures by their kind: `ECONNRESET`, `HTTP 503`. */
  readonly failed: Readonly<Record<string, number>>;
  /** Connections that ended with their server, and were opened again. */
  readonly reconnects: number;
}

export type Counts = Readonly<Record<string, Count>>;

interface Sample {
  readonly startedAt: string;
  readonly counts: Counts;
  readonly recent: readonly string[];
}

const NOTHING: Count = { ok: 0, failed: {}, reconnects: 0 };

/** Reads a line that a client printed; undefined for any other line. */
export function parseSample(line: string): Sample | undefined {
  try {
    const sample = JSON.parse(line);
    return typeof sample?.startedAt === 'string' && typeof sample.counts === 'object' ? sample : undefined;
  } catch {
    return undefined;
  }
}

function combined(one: Counts, other: Counts, combine: (a: number, b: number) => number): Counts {
  const kinds = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return Object.fromEntries(
    kinds.map((kind) => {
      const [a, b] = [one[kind] ?? NOTHING, other[kind] ?? NOTHING];
      const failures = [...new Set([...Object.keys(a.failed), ...Object.keys(b.failed)])].sort();
      const failed = failures
        .map((name) => [name, combine(a.failed[name] ?? 0, b.failed[name] ?? 0)] as const)
        .filter(([, count]) => count !== 0);
      const reconnects = combine(a.reconnects, b.reconnects);
      return [kind, { ok: combine(a.ok, b.ok), failed: Object.fromEntries(failed), reconnects }];
    }),
  );
}

/** Returns the sum of two counts. */
export function sum(one: Counts, other: Counts): Counts {
  return combined(one, other, (a, b) => a + b);
}

/** Returns the increase from earlier counts to later ones. */
export function since(earlier: Counts, later: Counts): Counts {
  return combined(later, earlier, (a, b) => a - b);
}

/** Returns the number of failures of all kinds. */
export function failures(counts: Counts): number {
  return Object.values(counts)
    .flatMap(({ failed }) => Object.values(failed))
    .reduce((total, count) => total + count, 0);
}

/** Returns the number of requests that succeeded. */
export function successes(counts: Counts): number {
  return Object.values(counts).reduce((total, { ok }) => total + ok, 0);
}

/** Formats failures: `3 HTTP 503, 1 ECONNRESET`. */
export function failuresText(counts: Counts): string {
  const byName: Record<string, number> = {};
  for (const { failed } of Object.values(counts)) {
    for (const [name, count] of Object.entries(failed)) byName[name] = (byName[name] ?? 0) + count;
  }
  const texts = Object.entries(byName).map(([name, count]) => `${count} ${name}`);
  return texts.length === 0 ? 'none' : texts.join(', ');
}

/** The counts of a client over all of its pods. Each container counts from zero. */
export class TrafficRecord {
  private readonly samples = new Map<string, Sample>();

  add(pod: string, sample: Sample): void {
    this.samples.set(`${pod} ${sample.startedAt}`, sample);
  }

  /** The sum of all counts. */
  get total(): Counts {
    return [...this.samples.values()].reduce<Counts>((total, { counts }) => sum(total, counts), {});
  }

  /** The last failures, oldest first. */
  get recent(): readonly string[] {
    return [...this.samples.values()].flatMap(({ recent }) => recent).sort();
  }
}

/** A client, whose counts are read. */
export interface ClientName {
  readonly namespace: string;
  readonly name: string;
}

/** Reads the counts of all pods of a client into a record. */
export async function readTraffic(cluster: Kubectl, client: ClientName, record: TrafficRecord): Promise<void> {
  const { namespace, name } = client;
  for (const pod of await cluster.list('pods', { namespace, selector: `app=${name}` })) {
    const line = await cluster.lastLog(namespace, pod.metadata.name, 'traffic');
    const sample = line === undefined ? undefined : parseSample(line);
    if (sample !== undefined) record.add(pod.metadata.name, sample);
  }
}
