import type { MeshedPod } from '../objects/meshed-pod';
import { readMetric } from './read-metric';

const ISSUER_TTL = 'issuer_cert_ttl_seconds';

/** Port of identity's metrics, `admin-http` (linkerd2, charts/linkerd-control-plane/templates/identity.yaml). */
const METRICS_PORT = 9990;

/** Maximum number of replicas to read: no mesh has more. */
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
