import { at, listAt, textAt } from './fields';
import type { StatusObservation } from './observation';

/** The share of inbound requests of the last ten minutes that proxies count as successes. */
export const SUCCESS_RATE =
  'sum(rate(response_total{direction="inbound",classification="success"}[10m])) / sum(rate(response_total{direction="inbound"}[10m]))';

/** The requests and connections of the last hour that proxies permitted only because a policy is in audit. */
export const AUDITED =
  'sum by (namespace) (increase({__name__=~"inbound_(http|tcp)_authz_allow_total",authz_name="audit"}[1h]))';

/**
 * Returns the path at which the API server of a cluster forwards a query to its Prometheus.
 *
 * @param prometheus `namespace/name:port` of the Service
 */
export function queryPath(prometheus: string, query: string): string | undefined {
  const [, namespace, name, port] = /^([a-z0-9-]+)\/([a-z0-9-]+):(\d+)$/.exec(prometheus) ?? [];
  if (namespace === undefined) return undefined;
  return `/api/v1/namespaces/${namespace}/services/http:${name}:${port}/proxy/api/v1/query?${new URLSearchParams({ query })}`;
}

/** Returns the success rate in the answer of a Prometheus. */
export function successRateIn(answer: unknown): NonNullable<StatusObservation['successRate']> {
  if (at(answer, 'status') !== 'success') return { unknown: 'the response of Prometheus contains no result' };
  const rate = numberIn(listAt(answer, 'data', 'result')[0]);
  // Without requests, the rate is 0 / 0.
  return Number.isNaN(rate) ? { unknown: 'there was no meshed request in the last ten minutes' } : rate;
}

/** Returns the number of audited requests by namespace, in the answer of a Prometheus. */
export function auditedIn(answer: unknown): ReadonlyMap<string, number> {
  return new Map(
    listAt(answer, 'data', 'result').flatMap((sample) => {
      // Prometheus extrapolates to the whole hour.
      const [namespace, count] = [textAt(sample, 'metric', 'namespace'), Math.round(numberIn(sample))];
      return namespace !== undefined && count > 0 ? [[namespace, count]] : [];
    }),
  );
}

function numberIn(sample: unknown): number {
  const text = listAt(sample, 'value')[1];
  return typeof text === 'string' ? Number(text) : Number.NaN;
}
