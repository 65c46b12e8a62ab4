import type { Problem } from '#base/findings/problem';
import { KUBERNETES_FINDINGS } from './findings/findings';
import { checkDnsLabel, checkLabelKey, checkLabelValue } from './names';
import { checkGoDuration, type DurationLike, goDuration, milliseconds } from './options/duration-like';
import { DURATION, FREE, keysOf } from './options/known-keys';
import { checkHttpUrl } from './urls';

/** Monitoring by the Prometheus operator. */
export interface Monitoring {
  /** Namespace of the PodMonitors and PrometheusRules: one that the Prometheus operator watches. It must exist. */
  readonly namespace: string;

  /**
   * Labels by which the operator's Prometheus selects them, such as `release: kube-prometheus-stack`.
   *
   * @default - only those of the library itself
   */
  readonly labels?: Readonly<Record<string, string>>;

  /**
   * Time between two scrapes of the metrics. 10 s, which the charts of the mesh use, give three times as many samples
   * as 30 s.
   *
   * @default - that of the Prometheus resource, whose own default is 30 seconds
   */
  readonly interval?: DurationLike;
}

/** Where alerts are created, and to which page they link. */
export interface Alerting extends Omit<Monitoring, 'interval'> {
  /**
   * URL at which you publish docs/alerts.md of this library, such as `https://docs.example.com/docs/alerts.html`. Each
   * alert links to its section of that page, by the annotation `runbook_url`.
   *
   * @default - none: the annotation `runbook` names the section in docs/alerts.md of the package
   */
  readonly runbooks?: string;
}

/** The keys of Monitoring. */
export const MONITORING = keysOf<Monitoring>({ namespace: true, labels: FREE, interval: DURATION });

/** The keys of Alerting. */
export const ALERTING = keysOf<Alerting>({ namespace: true, labels: FREE, runbooks: true });

/** One alert, in the form of the Prometheus operator. */
export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** The label `severity` of an alert, its other labels, and its texts. */
interface AlertText {
  readonly severity: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly summary: string;
  readonly description: string;
}

/** Returns an alert in the form of the Prometheus operator. */
export function alertRule<const Rule extends Omit<AlertRule, 'labels' | 'annotations'>>(rule: Rule & AlertText) {
  const { severity, labels, summary, description, ...others } = rule;
  return { ...others, labels: { severity, ...labels }, annotations: { summary, description } };
}

/** Returns the alerts, each with a link to its section in docs/alerts.md. */
export function withRunbooks(
  alerts: readonly AlertRule[],
  { runbooks }: Pick<Alerting, 'runbooks'>,
): readonly AlertRule[] {
  const [key, page] = runbooks === undefined ? ['runbook', 'docs/alerts.md'] : ['runbook_url', runbooks];
  return alerts.map((rule) => ({
    ...rule,
    annotations: { ...rule.annotations, [key]: `${page}#${rule.alert.toLowerCase()}` },
  }));
}

/** Returns the interval of a PodMonitor's endpoint; empty for Prometheus' default, and for an invalid one. */
export function scrapeInterval({ interval }: Monitoring): { readonly interval?: string } {
  return interval === undefined || checkInterval(interval).length > 0 ? {} : { interval: goDuration(interval) };
}

/** Checks the prop `monitoring`. */
export function checkMonitoring({ interval, ...place }: Monitoring): readonly Problem[] {
  return [...checkPlace(place, 'monitoring.'), ...(interval === undefined ? [] : checkInterval(interval))];
}

function checkPlace({ namespace, labels }: Pick<Monitoring, 'namespace' | 'labels'>, prefix: string): Problem[] {
  return [
    ...checkDnsLabel(`${prefix}namespace`, namespace),
    // JavaScript may pass null.
    ...Object.entries(labels ?? {}).flatMap(([key, value]) => [
      ...checkLabelKey(`${prefix}labels`, key),
      ...checkLabelValue(`${prefix}labels["${key}"]`, value),
    ]),
  ];
}

/**
 * Checks the namespace, labels and runbooks of alerts.
 *
 * @param prefix of the props, such as `alerts.`
 */
export function checkAlerting({ runbooks, ...place }: Alerting, prefix = ''): readonly Problem[] {
  const problems = runbooks === undefined ? [] : checkHttpUrl(`${prefix}runbooks`, runbooks, 'https');
  return [...checkPlace(place, prefix), ...problems];
}

function checkInterval(interval: DurationLike): readonly Problem[] {
  const problems = checkGoDuration('monitoring.interval', interval);
  if (problems.length > 0 || milliseconds(interval) > 0) return problems;
  return [KUBERNETES_FINDINGS.durationRefusedScrapeInterval()];
}
