import type { Values } from '../../../releases/values';
import {
  CHART_ADMIN_PORTS,
  chartMirrorRelabelings,
  controllerRelabelings,
  prometheusSpelling,
  proxyRelabelings,
  withoutJob,
} from '../../relabelings';

/**
 * Returns the scrape jobs of Viz' Prometheus: itself, containers, the control plane and Viz, multi-cluster, and all
 * proxies.
 */
export function scrapeJobs(linkerdNamespace: string, namespace: string): readonly Values[] {
  return [ITSELF, CONTAINERS, components(linkerdNamespace, namespace), MULTICLUSTER, proxies(linkerdNamespace)];
}

const TOKENS = '/var/run/secrets/kubernetes.io/serviceaccount';

const ITSELF: Values = { job_name: 'prometheus', static_configs: [{ targets: ['localhost:9090'] }] };

/** The kubelets' metrics of containers, for dashboard 315 of grafana.com. */
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
    // Large, and on none of the dashboards.
    { source_labels: ['__name__'], regex: 'container_memory_failures_total', action: 'drop' },
  ],
};

function components(linkerdNamespace: string, namespace: string): Values {
  return {
    job_name: 'linkerd-controller',
    kubernetes_sd_configs: [{ role: 'pod', namespaces: { names: [linkerdNamespace, namespace] } }],
    relabel_configs: prometheusSpelling(withoutJob(controllerRelabelings(CHART_ADMIN_PORTS))),
  };
}

const MULTICLUSTER: Values = {
  job_name: 'linkerd-multicluster-controller',
  kubernetes_sd_configs: [{ role: 'pod' }],
  relabel_configs: prometheusSpelling(chartMirrorRelabelings('__meta_kubernetes_pod_label_component')),
};

function proxies(linkerdNamespace: string): Values {
  return {
    job_name: 'linkerd-proxy',
    kubernetes_sd_configs: [{ role: 'pod' }],
    relabel_configs: [
      { source_labels: ['__meta_kubernetes_pod_phase'], regex: '(Pending|Running)', action: 'keep' },
      ...prometheusSpelling(withoutJob(proxyRelabelings(linkerdNamespace))),
    ],
  };
}
