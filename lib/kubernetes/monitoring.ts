import type { Duration } from 'cdk8s';
import { KUBERNETES_FINDINGS } from './findings/findings';
import type { Problem } from './findings/problem';
import { checkGoDuration, goDuration } from './go-duration';
import { FREE, keysOf } from './known-keys';
import { checkDnsLabel, checkLabelKey, checkLabelValue } from './names';

/** Monitoring by the Prometheus operator. */
export interface Monitoring {
  /** Namespace of the PodMonitors and PrometheusRules: one that the Prometheus operator watches. It must exist. */
  readonly namespace: string;

  /**
   * Labels by which the operator's Prometheus selects them, such as `release: kube-prometheus-stack`.
   *
   * @default - only those that dashboards or the operator need
   */
  readonly labels?: Readonly<Record<string, string>>;

  /**
   * Time between two scrapes of the metrics. The dashboards of the mesh expect 10 s, which needs three times the memory
   * of Prometheus' own default.
   *
   * @default - Prometheus' own: 30 seconds
   */
  readonly interval?: Duration;
}

/** The keys of Monitoring. */
export const MONITORING = keysOf<Monitoring>({ namespace: true, labels: FREE, interval: FREE });

/** Returns the interval of a PodMonitor's endpoint; empty if it is Prometheus' default, or cannot be written. */
export function scrapeInterval({ interval }: Monitoring): { readonly interval?: string } {
  return interval === undefined || checkInterval(interval).length > 0 ? {} : { interval: goDuration(interval) };
}

/** Checks the prop `monitoring`. */
export function checkMonitoring({ namespace, labels = {}, interval }: Monitoring): readonly Problem[] {
  return [
    ...checkDnsLabel('monitoring.namespace', namespace),
    ...Object.entries(labels).flatMap(([key, value]) => [
      ...checkLabelKey('monitoring.labels', key),
      ...checkLabelValue(`monitoring.labels["${key}"]`, value),
    ]),
    ...(interval === undefined ? [] : checkInterval(interval)),
  ];
}

function checkInterval(interval: Duration): readonly Problem[] {
  const problems = checkGoDuration('monitoring.interval', interval);
  if (problems.length > 0 || interval.toMilliseconds({ integral: false }) > 0) return problems;
  return [KUBERNETES_FINDINGS.durationRefusedScrapeInterval()];
}
