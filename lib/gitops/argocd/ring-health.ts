import type { Problem } from '#base/findings/problem';
import { isObject } from '#base/is-object';
import { showValue } from '#base/value-path';
import { checkDnsLabel } from '#kubernetes/names';
import { checkGoDuration, type DurationLike, goDuration } from '#kubernetes/options/duration-like';
import { DURATION, keysOf, NUMBER } from '#kubernetes/options/known-keys';
import type { WrittenHealth } from '../synth/output/cluster-index';
import { ARGOCD_FINDINGS } from './findings';

/**
 * When the clusters of a ring count as healthy, so that a change may be promoted to the next ring:
 * `cdk8s-linkerd status --ring RING --wait`. By default they are healthy if `status` reports no errors.
 */
export interface RingHealth {
  /**
   * The time for which the clusters must have had no errors.
   *
   * @default - none: they must have no errors now
   */
  readonly soak?: DurationLike;

  /**
   * Minimum success rate of the meshed requests of the last ten minutes in each cluster, as a number up to 1: `0.99`.
   * It requires `prometheus`. A cluster without requests is not healthy.
   *
   * @default - not measured
   */
  readonly successRate?: number;

  /**
   * The Prometheus in each cluster that scrapes the proxies. It must answer clients without a proxy.
   *
   * @default - none
   */
  readonly prometheus?: PrometheusService;
}

/** The Service of a Prometheus. */
export interface PrometheusService {
  /** Namespace of the Service. */
  readonly namespace: string;
  /** Name of the Service. */
  readonly name: string;
  /**
   * Port of the Service, for HTTP.
   *
   * @default 9090
   */
  readonly port?: number;
}

/** The keys of RingHealth. */
export const RING_HEALTH = keysOf<RingHealth>({
  soak: DURATION,
  successRate: NUMBER,
  prometheus: keysOf<PrometheusService>({ namespace: true, name: true, port: NUMBER }),
});

/** Reports conditions that cannot be checked. */
export function checkRingHealth(ring: string, { soak, successRate, prometheus }: RingHealth): readonly Problem[] {
  const field = `of health of the ring ${ring}`;
  return [
    ...(soak === undefined ? [] : checkGoDuration(`soak ${field}`, soak)),
    ...(successRate === undefined ? [] : checkRate(`successRate ${field}`, successRate)),
    ...(successRate !== undefined && prometheus === undefined
      ? [ARGOCD_FINDINGS.ringRefusedUnmeasured({ name: ring })]
      : []),
    ...(prometheus === undefined ? [] : checkService(`prometheus ${field}`, prometheus)),
  ];
}

function checkRate(field: string, rate: unknown): readonly Problem[] {
  if (typeof rate === 'number' && rate > 0 && rate <= 1) return [];
  return [ARGOCD_FINDINGS.ringRefusedRate({ field, value: showValue(rate) })];
}

function checkService(field: string, service: unknown): readonly Problem[] {
  const { namespace, name, port = 9090 } = (isObject(service) ? service : {}) as Record<string, unknown>;
  const isPort = typeof port === 'number' && Number.isInteger(port) && port > 0 && port < 65_536;
  if (typeof namespace !== 'string' || typeof name !== 'string' || !isPort) {
    return [ARGOCD_FINDINGS.ringRefusedPrometheus({ field, value: showValue(service) })];
  }
  return [...checkDnsLabel(`The namespace of ${field}`, namespace), ...checkDnsLabel(`The name of ${field}`, name)];
}

/** Returns the conditions for the output; none if one is invalid, which `checkRingHealth` reports. */
export function writtenHealth(health: RingHealth): WrittenHealth {
  const { soak, successRate, prometheus } = checkRingHealth('', health).length === 0 ? health : {};
  return {
    ...(soak !== undefined && { soak: goDuration(soak) }),
    ...(successRate !== undefined && { successRate }),
    ...(prometheus !== undefined && {
      prometheus: `${prometheus.namespace}/${prometheus.name}:${prometheus.port ?? 9090}`,
    }),
  };
}
