import { get } from 'node:http';
import { attempt } from '#controller-runtime/timing/attempt';
import type { MeshedPod } from '../objects/meshed-pod';

const ISSUER_TTL = 'issuer_cert_ttl_seconds';

/** Port of identity's metrics, `admin-http` (linkerd2, charts/linkerd-control-plane/templates/identity.yaml). */
const METRICS_PORT = 9990;

/** Maximum number of replicas to read. Linkerd's charts run one, or three for high availability. */
const MAX_REPLICAS = 16;

/** Reads the expiry of the issuers of identity's replicas, by the pods' uids. */
export type ReadIssuerEnds = (pods: readonly MeshedPod[], signal: AbortSignal) => Promise<ReadonlyMap<string, number>>;

/** Reads the metrics of replicas. Replicas that do not answer are left out. */
export function issuerEndReader(clock: () => number, port: number = METRICS_PORT): ReadIssuerEnds {
  return async (pods, signal) => {
    const asked = pods.slice(0, MAX_REPLICAS).map(async ({ metadata, status }) => {
      const host = status?.podIP;
      if (host === undefined || metadata.uid === undefined) return [];
      const seconds = await readMetric({ host, port }, ISSUER_TTL, signal);
      // Certificates expire at whole seconds.
      return seconds === undefined ? [] : [[metadata.uid, Math.round(clock() / 1_000 + seconds) * 1_000] as const];
    });
    return new Map((await Promise.all(asked)).flat());
  };
}

interface MetricsPage {
  readonly host: string;
  readonly port: number;
}

const TIMEOUT_MS = 2_000;

/** Maximum number of bytes to read of a page: identity's has some tens of thousands. */
const MAX_BYTES = 2 ** 20;

/** Reads one number from a page of metrics; undefined if unavailable. */
export async function readMetric(page: MetricsPage, name: string, signal: AbortSignal): Promise<number | undefined> {
  try {
    return metricIn(await attempt({ signal, timeoutMs: TIMEOUT_MS }, (own) => readPage(page, own)), name);
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

/** Returns a number without labels from a page of metrics. */
export function metricIn(page: string, name: string): number | undefined {
  const line = page.split('\n').find((one) => one.startsWith(`${name} `) || one.startsWith(`${name}{`));
  const value = Number(/^[^ {]+(?:\{[^}]*\})? +(\S+)/.exec(line ?? '')?.[1] ?? Number.NaN);
  return Number.isFinite(value) ? value : undefined;
}

function readPage({ host, port }: MetricsPage, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = get({ host, port, path: '/metrics', signal, agent: false }, (response) => {
      if (response.statusCode !== 200) {
        response.destroy();
        return reject(new Error(`the answer is ${response.statusCode}`));
      }
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > MAX_BYTES) response.destroy(new Error('the answer is too long'));
        else chunks.push(chunk);
      });
      response.on('end', () => resolve(Buffer.concat(chunks).toString()));
      response.on('error', reject);
    });
    request.on('error', reject);
  });
}
