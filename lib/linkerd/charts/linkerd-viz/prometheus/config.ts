import type { Value, Values } from '../../../../kubernetes/values';
import { isEmpty } from '../../empty';
import type { RenderContext } from '../../render-context';
import type { VizView } from '../viz-view';
import { helmYaml } from './helm-yaml';
import { scrapeJobs } from './scrape-jobs';

/**
 * The configuration of Viz' Prometheus, what values add to it included. As data it is what the chart's is, and not as
 * text: the chart writes most of it out, with comments.
 */
export function prometheusConfig(values: VizView, context: RenderContext): string {
  const { prometheus } = values;
  const { alertRelabelConfigs, alertmanagers, metricRelabelConfigs, scrapeConfigs, remoteWrite } = prometheus;
  const hasAlerting = !isEmpty(alertRelabelConfigs) || !isEmpty(alertmanagers);
  return helmYaml({
    global: given(prometheus.globalConfig),
    rule_files: ['/etc/prometheus/*_rules.yml', '/etc/prometheus/*_rules.yaml'],
    scrape_configs: [
      ...withMetricRelabelings(scrapeJobs(values, context), given(metricRelabelConfigs)),
      ...(isEmpty(scrapeConfigs) ? [] : (scrapeConfigs ?? [])),
    ],
    ...(hasAlerting
      ? { alerting: { alert_relabel_configs: given(alertRelabelConfigs), alertmanagers: given(alertmanagers) } }
      : {}),
    ...(isEmpty(remoteWrite) ? {} : { remote_write: given(remoteWrite) }),
  });
}

/** The jobs with relabelings of metrics in the last of them, that of the proxies, where the chart has them. */
function withMetricRelabelings(jobs: readonly Values[], relabelings: Value): readonly Values[] {
  if (relabelings === null) return jobs;
  return jobs.map((job, index) => (index === jobs.length - 1 ? { ...job, metric_relabel_configs: relabelings } : job));
}

/** A value that is not empty, or null, which Prometheus takes for nothing. */
function given(value: Value | undefined): Value {
  return value === undefined || isEmpty(value) ? null : value;
}
