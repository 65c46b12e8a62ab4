/** Metrics that alerts and dashboards may use, by the source file that defines them. */
export const KNOWN_METRICS: Readonly<Record<string, readonly string[]>> = {
  Prometheus: ['up', 'ALERTS'],

  // linkerd2-proxy release/v2.366.0, of edge-26.8.3
  'linkerd/app/src/lib.rs (control_identity) and linkerd/identity/src/metrics.rs': [
    'control_identity_cert_expiration_timestamp_seconds',
  ],
  'linkerd/app/core/src/build_info.rs': ['proxy_build_info'],
  'linkerd/app/inbound/src/metrics/authz.rs': [
    'inbound_http_authz_allow_total',
    'inbound_http_authz_deny_total',
    'inbound_http_local_ratelimit_total',
    'inbound_http_route_not_found_total',
    'inbound_tcp_authz_allow_total',
    'inbound_tcp_authz_deny_total',
  ],
  'linkerd/http/metrics/src/requests/report.rs': ['request_total', 'response_total', 'response_latency_ms_bucket'],
  'linkerd/transport-metrics/src/lib.rs': ['tcp_open_connections'],
  // linkerd2-proxy release/v2.210.4, of stable-2.14.10
  'linkerd/proxy/identity-client/src/metrics.rs': ['identity_cert_expiration_timestamp_seconds'],

  // linkerd2 edge-26.8.3
  'pkg/identity/service.go': ['issuer_cert_ttl_seconds'],
  'pkg/prometheus/prometheus.go (go-grpc-prometheus)': ['grpc_server_handled_total'],
  'controller/proxy-injector/metrics.go': ['proxy_inject_admission_responses_total'],
  'multicluster/service-mirror/metrics.go': ['gateway_alive', 'gateway_probe_latency_ms_bucket'],

  // kubernetes v1.34.4
  'k8s.io/apiserver/pkg/admission/metrics/metrics.go': [
    'apiserver_admission_controller_admission_duration_seconds_count',
    'apiserver_admission_webhook_admission_duration_seconds_bucket',
    'apiserver_admission_webhook_fail_open_count',
    'apiserver_admission_webhook_rejection_count',
  ],
  'k8s.io/apiserver/pkg/admission/plugin/policy/validating/metrics/metrics.go': [
    'apiserver_validating_admission_policy_check_total',
  ],
  'kube-state-metrics, docs/metrics/workload/deployment-metrics.md': [
    'kube_deployment_spec_replicas',
    'kube_deployment_status_replicas_ready',
  ],

  'cert-manager, pkg/metrics': [
    'certmanager_certificate_expiration_timestamp_seconds',
    'certmanager_certificate_ready_status',
    'certmanager_certificate_renewal_timestamp_seconds',
  ],
};
