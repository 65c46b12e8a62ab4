import { at, listAt } from '../fields';
import { type Look, statusFinding } from '../finding';
import { STATUS_FINDINGS } from '../findings';
import type { Observation } from '../observation';

/** Checks the success rate that the ring of the cluster asks for. */
export function checkSuccessRate({ intent, seen }: Pick<Look, 'intent'> & Partial<Pick<Look, 'seen'>>) {
  const least = intent.ring?.health?.successRate;
  if (least === undefined) return [];
  const unasked = seen === undefined ? 'only Applications were read' : 'the ring names no Prometheus';
  const rate = seen?.successRate ?? { unknown: unasked };
  if (typeof rate === 'object') return [statusFinding(STATUS_FINDINGS.successRateUnknown({ reason: rate.unknown }))];
  return rate >= least ? [] : [statusFinding(STATUS_FINDINGS.successRateLow({ rate, least }))];
}

/** The share of inbound requests of the last ten minutes that proxies count as successes. */
const QUERY =
  'sum(rate(response_total{direction="inbound",classification="success"}[10m])) / sum(rate(response_total{direction="inbound"}[10m]))';

/** Returns the path at which the API server of a cluster passes the query on to its Prometheus. */
export function successRatePath(prometheus: string): string | undefined {
  const [, namespace, name, port] = /^([a-z0-9-]+)\/([a-z0-9-]+):(\d+)$/.exec(prometheus) ?? [];
  if (namespace === undefined) return undefined;
  const query = new URLSearchParams({ query: QUERY });
  return `/api/v1/namespaces/${namespace}/services/http:${name}:${port}/proxy/api/v1/query?${query}`;
}

/** Returns the success rate in the answer of a Prometheus. */
export function successRateIn(answer: unknown): NonNullable<Observation['successRate']> {
  const [sample] = listAt(answer, 'data', 'result');
  const [, text] = listAt(sample, 'value');
  const rate = typeof text === 'string' ? Number(text) : Number.NaN;
  if (at(answer, 'status') !== 'success') return { unknown: 'the answer of Prometheus is not a result' };
  // Without requests it is 0 of 0.
  return Number.isNaN(rate) ? { unknown: 'there was no meshed request in the last ten minutes' } : rate;
}
