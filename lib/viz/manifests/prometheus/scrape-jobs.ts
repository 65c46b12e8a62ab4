/**
 * What Viz' Prometheus scrapes, in the words of linkerd-viz of edge-26.8.3, comments and spaces included (Copyright the
 * Linkerd authors, Apache License 2.0): a ConfigMap that came from Helm stays as it is, byte for byte, so that a
 * difference in it is one of configuration.
 */
export function scrapeJobs(linkerdNamespace: string, namespace: string): readonly string[] {
  return [
    ITSELF,
    CONTAINERS,
    components(linkerdNamespace, namespace),
    MULTICLUSTER,
    `${proxies(linkerdNamespace)}\n${PROXY_LABELS}`,
  ];
}

const ITSELF = `- job_name: 'prometheus'
  static_configs:
  - targets: ['localhost:9090']`;

const CONTAINERS = `#  Required for: https://grafana.com/grafana/dashboards/315
- job_name: 'kubernetes-nodes-cadvisor'
  scheme: https
  tls_config:
    ca_file: /var/run/secrets/kubernetes.io/serviceaccount/ca.crt
    insecure_skip_verify: true
  bearer_token_file: /var/run/secrets/kubernetes.io/serviceaccount/token
  kubernetes_sd_configs:
  - role: node
  relabel_configs:
  - action: labelmap
    regex: __meta_kubernetes_node_label_(.+)
  - target_label: __address__
    replacement: kubernetes.default.svc:443
  - source_labels: [__meta_kubernetes_node_name]
    regex: (.+)
    target_label: __metrics_path__
    replacement: /api/v1/nodes/$1/proxy/metrics/cadvisor
  metric_relabel_configs:
  - source_labels: [__name__]
    regex: '(container|machine)_(cpu|memory|network|fs)_(.+)'
    action: keep
  - source_labels: [__name__]
    regex: 'container_memory_failures_total' # unneeded large metric
    action: drop`;

function components(linkerdNamespace: string, namespace: string): string {
  return `- job_name: 'linkerd-controller'
  kubernetes_sd_configs:
  - role: pod
    namespaces:
      names:
      - '${linkerdNamespace}'
      - '${namespace}'
  relabel_configs:
  - source_labels:
    - __meta_kubernetes_pod_container_port_name
    action: keep
    regex: .*admin$
  - source_labels:
    - __meta_kubernetes_pod_container_port_name
    action: drop
    regex: linkerd-admin
  - source_labels: [__meta_kubernetes_pod_container_name]
    action: replace
    target_label: component`;
}

const MULTICLUSTER = `- job_name: 'linkerd-multicluster-controller'
  kubernetes_sd_configs:
  - role: pod
  relabel_configs:
  - source_labels:
    - __meta_kubernetes_pod_label_component
    - __meta_kubernetes_pod_container_port_name
    action: keep
    regex: (linkerd-service-mirror|controller);.*-admin$
  - source_labels:
    - __meta_kubernetes_pod_container_port_name
    action: drop
    regex: linkerd-admin
  - source_labels: [__meta_kubernetes_pod_container_name]
    action: replace
    target_label: component`;

function proxies(linkerdNamespace: string): string {
  return `- job_name: 'linkerd-proxy'
  kubernetes_sd_configs:
  - role: pod
  relabel_configs:
  - source_labels: [__meta_kubernetes_pod_phase]
    regex: (Pending|Running)
    action: keep
  - source_labels:
    - __meta_kubernetes_pod_container_name
    - __meta_kubernetes_pod_container_port_name
    - __meta_kubernetes_pod_label_linkerd_io_control_plane_ns
    action: keep
    regex: ^linkerd-proxy;linkerd-admin;${linkerdNamespace}$`;
}

/** What the metrics of a proxy say about its pod. */
const PROXY_LABELS = `  - source_labels: [__meta_kubernetes_namespace]
    action: replace
    target_label: namespace
  - source_labels: [__meta_kubernetes_pod_name]
    action: replace
    target_label: pod
  # special case k8s' "job" label, to not interfere with prometheus' "job"
  # label
  # __meta_kubernetes_pod_label_linkerd_io_proxy_job=foo =>
  # k8s_job=foo
  - source_labels: [__meta_kubernetes_pod_label_linkerd_io_proxy_job]
    action: replace
    target_label: k8s_job
  # drop __meta_kubernetes_pod_label_linkerd_io_proxy_job
  - action: labeldrop
    regex: __meta_kubernetes_pod_label_linkerd_io_proxy_job
  # __meta_kubernetes_pod_label_linkerd_io_proxy_deployment=foo =>
  # deployment=foo
  - action: labelmap
    regex: __meta_kubernetes_pod_label_linkerd_io_proxy_(.+)
  # drop all labels that we just made copies of in the previous labelmap
  - action: labeldrop
    regex: __meta_kubernetes_pod_label_linkerd_io_proxy_(.+)
  # __meta_kubernetes_pod_label_linkerd_io_foo=bar =>
  # foo=bar
  - action: labelmap
    regex: __meta_kubernetes_pod_label_linkerd_io_(.+)
  # Copy all pod labels to tmp labels
  - action: labelmap
    regex: __meta_kubernetes_pod_label_(.+)
    replacement: __tmp_pod_label_$1
  # Take \`linkerd_io_\` prefixed labels and copy them without the prefix
  - action: labelmap
    regex: __tmp_pod_label_linkerd_io_(.+)
    replacement:  __tmp_pod_label_$1
  # Drop the \`linkerd_io_\` originals
  - action: labeldrop
    regex: __tmp_pod_label_linkerd_io_(.+)
  # Copy tmp labels into real labels
  - action: labelmap
    regex: __tmp_pod_label_(.+)`;
