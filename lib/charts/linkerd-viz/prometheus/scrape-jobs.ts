import type { Values } from '../../../releases/values';

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

const PORT_NAME = '__meta_kubernetes_pod_container_port_name';

/** The proxies' port, which has a job of its own. */
const NOT_PROXIES: Values = { source_labels: [PORT_NAME], action: 'drop', regex: 'linkerd-admin' };

const CONTAINER_AS_COMPONENT: Values = {
  source_labels: ['__meta_kubernetes_pod_container_name'],
  action: 'replace',
  target_label: 'component',
};

function components(linkerdNamespace: string, namespace: string): Values {
  return {
    job_name: 'linkerd-controller',
    kubernetes_sd_configs: [{ role: 'pod', namespaces: { names: [linkerdNamespace, namespace] } }],
    relabel_configs: [
      { source_labels: [PORT_NAME], action: 'keep', regex: '.*admin$' },
      NOT_PROXIES,
      CONTAINER_AS_COMPONENT,
    ],
  };
}

const MULTICLUSTER: Values = {
  job_name: 'linkerd-multicluster-controller',
  kubernetes_sd_configs: [{ role: 'pod' }],
  relabel_configs: [
    {
      source_labels: ['__meta_kubernetes_pod_label_component', PORT_NAME],
      action: 'keep',
      regex: '(linkerd-service-mirror|controller);.*-admin$',
    },
    NOT_PROXIES,
    CONTAINER_AS_COMPONENT,
  ],
};

function proxies(linkerdNamespace: string): Values {
  return {
    job_name: 'linkerd-proxy',
    kubernetes_sd_configs: [{ role: 'pod' }],
    relabel_configs: [
      { source_labels: ['__meta_kubernetes_pod_phase'], regex: '(Pending|Running)', action: 'keep' },
      {
        source_labels: [
          '__meta_kubernetes_pod_container_name',
          PORT_NAME,
          '__meta_kubernetes_pod_label_linkerd_io_control_plane_ns',
        ],
        action: 'keep',
        regex: `^linkerd-proxy;linkerd-admin;${linkerdNamespace}$`,
      },
      ...PROXY_LABELS,
    ],
  };
}

/** Labels by which the metrics of a proxy tell its pod. */
const PROXY_LABELS: readonly Values[] = [
  { source_labels: ['__meta_kubernetes_namespace'], action: 'replace', target_label: 'namespace' },
  { source_labels: ['__meta_kubernetes_pod_name'], action: 'replace', target_label: 'pod' },
  // A workload of kind Job goes to a label of its own: `job` is Prometheus' name for what it scrapes.
  {
    source_labels: ['__meta_kubernetes_pod_label_linkerd_io_proxy_job'],
    action: 'replace',
    target_label: 'k8s_job',
  },
  { action: 'labeldrop', regex: '__meta_kubernetes_pod_label_linkerd_io_proxy_job' },
  // linkerd.io/proxy-deployment becomes the label `deployment`, and so on for each kind of workload.
  { action: 'labelmap', regex: '__meta_kubernetes_pod_label_linkerd_io_proxy_(.+)' },
  { action: 'labeldrop', regex: '__meta_kubernetes_pod_label_linkerd_io_proxy_(.+)' },
  { action: 'labelmap', regex: '__meta_kubernetes_pod_label_linkerd_io_(.+)' },
  // All other labels of the pod, those of linkerd.io without their prefix.
  { action: 'labelmap', regex: '__meta_kubernetes_pod_label_(.+)', replacement: '__tmp_pod_label_$1' },
  { action: 'labelmap', regex: '__tmp_pod_label_linkerd_io_(.+)', replacement: '__tmp_pod_label_$1' },
  { action: 'labeldrop', regex: '__tmp_pod_label_linkerd_io_(.+)' },
  { action: 'labelmap', regex: '__tmp_pod_label_(.+)' },
];
