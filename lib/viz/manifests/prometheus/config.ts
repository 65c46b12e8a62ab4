import type { Value } from '../../../helm/values';
import { isEmpty } from '../../../linkerd/manifests/empty';
import type { RenderContext } from '../../../linkerd/manifests/render-context';
import type { VizView } from '../viz-view';
import { helmYaml } from './helm-yaml';
import { scrapeJobs } from './scrape-jobs';

const RULE_FILES = `rule_files:
- /etc/prometheus/*_rules.yml
- /etc/prometheus/*_rules.yaml`;

/** The configuration of Viz' Prometheus, what values add to it included. */
export function prometheusConfig({ prometheus, linkerdNamespace = '' }: VizView, { namespace }: RenderContext): string {
  const { alertRelabelConfigs, alertmanagers, scrapeConfigs = [] } = prometheus;
  const hasAlerting = !isEmpty(alertRelabelConfigs) || !isEmpty(alertmanagers);
  return [
    `global:${section(prometheus.globalConfig)}\n`,
    `${RULE_FILES}\n`,
    `scrape_configs:\n${scrapeJobs(linkerdNamespace, namespace).join('\n\n')}`,
    ...(isEmpty(prometheus.metricRelabelConfigs)
      ? []
      : // Of the last job, that of the proxies.
        [`  metric_relabel_configs:${section(prometheus.metricRelabelConfigs)}`]),
    ...(isEmpty(scrapeConfigs) ? [] : [helmYaml(scrapeConfigs)]),
    ...(hasAlerting
      ? [
          'alerting:',
          `  alert_relabel_configs:${section(alertRelabelConfigs)}`,
          `  alertmanagers:${section(alertmanagers)}`,
        ]
      : []),
    ...(isEmpty(prometheus.remoteWrite) ? [] : [`remote_write:${section(prometheus.remoteWrite)}`]),
  ].join('\n');
}

/** What stands below a key: a value, indented, if it is not empty. */
function section(value: Value = ''): string {
  return isEmpty(value) ? '' : `\n${helmYaml(value)}`.replaceAll('\n', '\n  ');
}
