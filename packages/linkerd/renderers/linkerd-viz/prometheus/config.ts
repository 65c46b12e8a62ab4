import type { Value, Values } from '#base/values';
import { valuesOf } from '#helm/chart/given-values';
import { UNLIMITED } from '#helm/go/budget';
import { FunctionError } from '#helm/go/values';
import { writeYaml } from '#helm/yaml/write-yaml';
import type { RenderContext } from '#linkerd/charts/render-context';
import type { AdminPorts } from '#linkerd/releases/groups/control-plane';
import type { VizTemplates } from '#linkerd/releases/groups/viz';
import { isEmpty } from '../../empty';
import {
  CHART_MIRROR_PORTS,
  chartMirrorRelabelings,
  controllerRelabelings,
  PROXY_PORT,
  prometheusSpelling,
  proxyRelabelings,
  withoutJob,
} from '../../relabelings';
import type { VizView } from '../viz-view';

/**
 * Returns the configuration of the Prometheus of Viz, including additions from values. It equals the chart's as data,
 * but not as text, because the chart's has comments.
 */
export function prometheusConfig(values: VizView, context: RenderContext): string {
  const { prometheus } = values;
  const { alertRelabelConfigs, alertmanagers, metricRelabelConfigs, scrapeConfigs, remoteWrite } = prometheus;
  const hasAlerting = !isEmpty(alertRelabelConfigs) || !isEmpty(alertmanagers);
  return written({
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

/** Returns why YAML cannot hold the additions from values; undefined if it can. */
export function additionsFault({ prometheus }: VizView): string | undefined {
  const { alertRelabelConfigs, alertmanagers, globalConfig, metricRelabelConfigs, remoteWrite, scrapeConfigs } =
    prometheus;
  try {
    written({ alertRelabelConfigs, alertmanagers, globalConfig, metricRelabelConfigs, remoteWrite, scrapeConfigs });
    return undefined;
  } catch (error) {
    if (error instanceof FunctionError) return error.message;
    throw error;
  }
}

function written(config: Values): string {
  return writeYaml(valuesOf(config, UNLIMITED), UNLIMITED).replace(/\n$/, '');
}

/** Adds relabelings to the last job, which scrapes the proxies, as in the chart. */
function withMetricRelabelings(jobs: readonly Values[], relabelings: Value): readonly Values[] {
  if (relabelings === null) return jobs;
  return jobs.map((job, index) => (index === jobs.length - 1 ? { ...job, metric_relabel_configs: relabelings } : job));
}

/** Prometheus treats null as absent. */
function given(value: Value | undefined): Value {
  return value === undefined || isEmpty(value) ? null : value;
}

function scrapeJobs(values: VizView, { namespace }: RenderContext): readonly Values[] {
  const { linkerdNamespace = '', templates } = values;
  return [
    ITSELF,
    CONTAINERS,
    components([linkerdNamespace, namespace], templates),
    multicluster(templates),
    proxies(linkerdNamespace, templates),
  ];
}

const TOKENS = '/var/run/secrets/kubernetes.io/serviceaccount';

const ITSELF: Values = { job_name: 'prometheus', static_configs: [{ targets: ['localhost:9090'] }] };

/** Metrics of containers, for dashboard 315 of grafana.com. */
const CONTAINERS: Values = {
  job_name: 'kubernetes-nodes-cadvisor',
  scheme: 'https',
  tls_config: { ca_file: `${TOKENS}/ca.crt`, insecure_skip_verify: true },
  bearer_token_file: `${TOKENS}/token`,
  kubernetes_sd_configs: [{ role: 'node' }],
  relabel_configs: [
    { action: 'labelmap', regex: '__meta_kubernetes_node_label_(.+)' },
    { target_label: '__address__', replacement: 'kubernetes.default.svc:443' },
    {
      source_labels: ['__meta_kubernetes_node_name'],
      regex: '(.+)',
      target_label: '__metrics_path__',
      replacement: '/api/v1/nodes/$1/proxy/metrics/cadvisor',
    },
  ],
  metric_relabel_configs: [
    { source_labels: ['__name__'], regex: '(container|machine)_(cpu|memory|network|fs)_(.+)', action: 'keep' },
    // This metric is large, and no dashboard shows it.
    { source_labels: ['__name__'], regex: 'container_memory_failures_total', action: 'drop' },
  ],
};

function components(names: string[], { scrapedPorts }: VizTemplates): Values {
  return {
    job_name: 'linkerd-controller',
    kubernetes_sd_configs: [{ role: 'pod', namespaces: { names } }],
    relabel_configs: prometheusSpelling(withoutJob(controllerRelabelings(adminPorts(scrapedPorts)))),
  };
}

function multicluster({ scrapedPorts, mirrorJob: { name, components } }: VizTemplates): Values {
  const ports = scrapedPorts === '.*admin$' ? CHART_MIRROR_PORTS : { keep: `${scrapedPorts}$` };
  return {
    job_name: name,
    kubernetes_sd_configs: [{ role: 'pod' }],
    relabel_configs: prometheusSpelling(
      chartMirrorRelabelings('__meta_kubernetes_pod_label_component', ports, components),
    ),
  };
}

/** `.*admin$` matches the metrics port of the proxies as well. */
function adminPorts(scraped: VizTemplates['scrapedPorts']): AdminPorts {
  return scraped === '.*admin$' ? { keep: scraped, drop: PROXY_PORT } : { keep: scraped };
}

const LIVING_PODS: Values = {
  source_labels: ['__meta_kubernetes_pod_phase'],
  regex: '(Pending|Running)',
  action: 'keep',
};

function proxies(linkerdNamespace: string, { scrapesLivingPods }: VizTemplates): Values {
  return {
    job_name: 'linkerd-proxy',
    kubernetes_sd_configs: [{ role: 'pod' }],
    relabel_configs: [
      ...(scrapesLivingPods ? [LIVING_PODS] : []),
      ...prometheusSpelling(withoutJob(proxyRelabelings(linkerdNamespace))),
    ],
  };
}
