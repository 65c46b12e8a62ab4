import type { MeshedPod } from '../objects/meshed-pod';
import { readMetric } from './read-metric';

/** The metric by which identity tells how long the issuer lives that it works with. */
const ISSUER_TTL = 'issuer_cert_ttl_seconds';

/** Port of identity's metrics, `admin-http` (linkerd2, charts/linkerd-control-plane/templates/identity.yaml). */
const METRICS_PORT = 9990;

/** Replicas that are asked: nobody has more. */
const MOST_REPLICAS = 16;

/** The ends of the issuers that replicas of identity work with, by the pods' uids. */
export type ReadIssuerEnds = (pods: readonly MeshedPod[], signal: AbortSignal) => Promise<ReadonlyMap<string, number>>;

/** Asks replicas. One that does not answer is left out. */
export function issuerEndReader(clock: () => number, port: number = METRICS_PORT): ReadIssuerEnds {
  return async (pods, signal) => {
    const asked = pods.slice(0, MOST_REPLICAS).map(async ({ metadata, status }) => {
      const host = status?.podIP;
      if (host === undefined || metadata.uid === undefined) return [];
      const seconds = await readMetric({ host, port }, ISSUER_TTL, signal);
      // Certificates end at whole seconds.
      return seconds === undefined ? [] : [[metadata.uid, Math.round(clock() / 1_000 + seconds) * 1_000] as const];
    });
    return new Map((await Promise.all(asked)).flat());
  };
}
