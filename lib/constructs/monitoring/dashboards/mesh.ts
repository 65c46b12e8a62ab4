import { proxyCertificates } from '../proxy-alerts';
import { type Dashboard, lines, number, quantile, type Row } from './dashboard';

/** Returns the dashboard of the mesh's health. */
export function meshDashboard(namespace: string): Dashboard {
  const mesh = `control_plane_ns="${namespace}"`;
  return {
    uid: 'cdk8s-linkerd-mesh',
    title: 'Linkerd / Mesh',
    variables: [{ name: 'namespace', label: 'Namespace', query: `label_values(proxy_build_info{${mesh}}, namespace)` }],
    rows: [
      overview(mesh),
      traffic(`${mesh},namespace=~"$namespace"`),
      denials(`${mesh},namespace=~"$namespace"`),
      identity(mesh, namespace),
      injection(),
      proxies(mesh),
      multicluster(),
    ],
  };
}

function overview(mesh: string): Row {
  return {
    title: 'Overview',
    panels: [
      number('Firing alerts', 'short', 'count(ALERTS{alertname=~"Linkerd.+",alertstate="firing"}) or vector(0)'),
      number('Meshed pods', 'short', `count(proxy_build_info{${mesh}})`),
      number('Meshed namespaces', 'short', `count(count by (namespace) (proxy_build_info{${mesh}}))`),
      number('Versions of proxies', 'short', `count(count by (version) (proxy_build_info{${mesh}}))`),
      number(
        'Success rate',
        'percentunit',
        `sum(rate(response_total{${mesh},direction="inbound",classification="success"}[5m])) / sum(rate(response_total{${mesh},direction="inbound"}[5m]))`,
      ),
      number('Requests', 'reqps', `sum(rate(request_total{${mesh},direction="inbound"}[5m]))`),
    ],
  };
}

function traffic(proxies: string): Row {
  const inbound = `${proxies},direction="inbound"`;
  const responses = (more = '') => `sum by (namespace) (rate(response_total{${inbound}${more}}[$__rate_interval]))`;
  return {
    title: 'Traffic',
    panels: [
      lines('Success rate', 'percentunit', {
        expr: `${responses(',classification="success"')} / ${responses()}`,
        legend: '{{namespace}}',
      }),
      lines('Requests', 'reqps', {
        expr: `sum by (namespace) (rate(request_total{${inbound}}[$__rate_interval]))`,
        legend: '{{namespace}}',
      }),
      lines(
        'Latency, 95th percentile',
        'ms',
        quantile(0.95, `response_latency_ms_bucket{${inbound}}`, ['namespace'], '{{namespace}}'),
      ),
      lines('Open TCP connections', 'short', {
        expr: `sum by (namespace) (tcp_open_connections{${inbound},peer="src"})`,
        legend: '{{namespace}}',
      }),
    ],
  };
}

function denials(proxies: string): Row {
  const rate = (metric: string) =>
    `sum by (namespace, srv_kind, srv_name) (rate(${metric}{${proxies}}[$__rate_interval])) > 0`;
  const legend = '{{namespace}}: {{srv_kind}} {{srv_name}}';
  return {
    title: 'Denied and limited',
    panels: [
      lines('Denied requests', 'reqps', { expr: rate('inbound_http_authz_deny_total'), legend }),
      lines('Denied connections', 'cps', { expr: rate('inbound_tcp_authz_deny_total'), legend }),
      lines('Requests over a rate limit', 'reqps', { expr: rate('inbound_http_local_ratelimit_total'), legend }),
      lines('Requests without a route', 'reqps', { expr: rate('inbound_http_route_not_found_total'), legend }),
    ],
  };
}

function identity(mesh: string, namespace: string): Row {
  const handled = `grpc_server_handled_total{namespace="${namespace}",component="identity",grpc_method="Certify"}`;
  return {
    title: 'Identity',
    panels: [
      lines('Requests for certificates', 'reqps', {
        expr: `sum by (grpc_code) (rate(${handled}[$__rate_interval]))`,
        legend: '{{grpc_code}}',
      }),
      lines("Shortest remaining lifetime of proxies' certificates", 's', {
        expr: `min by (namespace) ((${proxyCertificates(mesh)} > 0) - time())`,
        legend: '{{namespace}}',
      }),
      lines('Proxies without a certificate', 'short', {
        expr: `count by (namespace) (${proxyCertificates(mesh)} == 0)`,
        legend: '{{namespace}}',
      }),
      lines('Pods of the control plane that respond', 'short', {
        expr: `sum by (component) (up{job="linkerd-controller",namespace="${namespace}"})`,
        legend: '{{component}}',
      }),
    ],
  };
}

function injection(): Row {
  const webhooks = 'name=~".+[.]linkerd[.]io"';
  return {
    title: 'Injection and webhooks',
    panels: [
      lines(
        'Pods and their injection',
        'reqps',
        {
          expr: 'sum(rate(proxy_inject_admission_responses_total{skip="false"}[$__rate_interval]))',
          legend: 'injected',
        },
        {
          expr: 'sum by (skip_reason) (rate(proxy_inject_admission_responses_total{skip="true"}[$__rate_interval]))',
          legend: 'skipped: {{skip_reason}}',
        },
      ),
      lines(
        'Latency of webhooks, 99th percentile',
        's',
        quantile(
          0.99,
          `apiserver_admission_webhook_admission_duration_seconds_bucket{${webhooks}}`,
          ['name'],
          '{{name}}',
        ),
      ),
      lines(
        'Failed calls of webhooks',
        'reqps',
        {
          expr: `sum by (name) (rate(apiserver_admission_webhook_rejection_count{${webhooks},error_type="calling_webhook_error"}[$__rate_interval]))`,
          legend: '{{name}}: rejected',
        },
        {
          expr: `sum by (name) (rate(apiserver_admission_webhook_fail_open_count{${webhooks}}[$__rate_interval]))`,
          legend: '{{name}}: ignored',
        },
      ),
      lines('Pods without a proxy, by policy', 'reqps', {
        expr: 'sum by (policy, enforcement_action) (rate(apiserver_validating_admission_policy_check_total{policy=~"linkerd-require-proxy-.+",enforcement_action!="allow"}[$__rate_interval]))',
        legend: '{{policy}}: {{enforcement_action}}',
      }),
    ],
  };
}

function proxies(mesh: string): Row {
  return {
    title: 'Proxies',
    panels: [
      lines('Proxies by version', 'short', {
        expr: `count by (version) (proxy_build_info{${mesh}})`,
        legend: '{{version}}',
      }),
      lines('Proxies by namespace', 'short', {
        expr: `count by (namespace) (proxy_build_info{${mesh}})`,
        legend: '{{namespace}}',
      }),
    ],
  };
}

function multicluster(): Row {
  return {
    title: 'Other clusters',
    panels: [
      lines('Gateways that respond', 'short', {
        expr: 'max by (target_cluster_name) (gateway_alive)',
        legend: '{{target_cluster_name}}',
      }),
      lines(
        'Latency of gateways, 95th percentile',
        'ms',
        quantile(0.95, 'gateway_probe_latency_ms_bucket', ['target_cluster_name'], '{{target_cluster_name}}'),
      ),
    ],
  };
}
