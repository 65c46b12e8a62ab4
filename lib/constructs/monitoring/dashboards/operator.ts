import { OPERATOR } from '../../operator/operator-names';
import { type Dashboard, lines, number, type Panel, quantile, type Row } from './dashboard';

/** Returns the dashboard of the operator, whose metrics have the names of controller-runtime. */
export function operatorDashboard(namespace: string): Dashboard {
  const own = `namespace="${namespace}"`;
  return {
    uid: 'cdk8s-linkerd-operator',
    title: 'Linkerd / Operator',
    variables: [],
    rows: [leader(own), controllers(own), queues(own), webhooks(own)],
  };
}

function leader(own: string): Row {
  const status = `leader_election_master_status{name="${OPERATOR}",${own}}`;
  const timeline: Panel = {
    title: 'Pod that leads',
    kind: 'state-timeline',
    unit: 'short',
    queries: [{ expr: `max by (pod) (${status}) == 1`, legend: '{{pod}}' }],
    width: 20,
  };
  return { title: 'Leader', panels: [number('Leaders', 'short', `sum(${status}) or vector(0)`), timeline] };
}

function controllers(own: string): Row {
  const rate = (metric: string, by: string) =>
    `sum by (${by}) (rate(controller_runtime_${metric}{${own}}[$__rate_interval]))`;
  return {
    title: 'Controllers',
    panels: [
      lines('Reconciles', 'ops', {
        expr: rate('reconcile_total', 'controller, result'),
        legend: '{{controller}}: {{result}}',
      }),
      lines(
        'Failed reconciles',
        'ops',
        { expr: rate('reconcile_errors_total', 'controller'), legend: '{{controller}}' },
        { expr: rate('terminal_reconcile_errors_total', 'controller'), legend: '{{controller}}: not retried' },
      ),
      lines(
        'Duration of reconciles, 99th percentile',
        's',
        quantile(0.99, `controller_runtime_reconcile_time_seconds_bucket{${own}}`, ['controller'], '{{controller}}'),
      ),
      lines('Requests to the API server', 'reqps', {
        expr: `sum by (method, code) (rate(rest_client_requests_total{${own}}[$__rate_interval]))`,
        legend: '{{method}} {{code}}',
      }),
    ],
  };
}

function queues(own: string): Row {
  return {
    title: 'Queues',
    panels: [
      lines('Length', 'short', { expr: `sum by (name) (workqueue_depth{${own}})`, legend: '{{name}}' }),
      lines('Retries', 'ops', {
        expr: `sum by (name) (rate(workqueue_retries_total{${own}}[$__rate_interval]))`,
        legend: '{{name}}',
      }),
      lines(
        'Wait, 99th percentile',
        's',
        quantile(0.99, `workqueue_queue_duration_seconds_bucket{${own}}`, ['name'], '{{name}}'),
      ),
    ],
  };
}

function webhooks(own: string): Row {
  return {
    title: 'Webhooks',
    panels: [
      lines('Answers', 'reqps', {
        expr: `sum by (webhook, code) (rate(controller_runtime_webhook_requests_total{${own}}[$__rate_interval]))`,
        legend: '{{webhook}} {{code}}',
      }),
      lines(
        'Latency, 99th percentile',
        's',
        quantile(0.99, `controller_runtime_webhook_latency_seconds_bucket{${own}}`, ['webhook'], '{{webhook}}'),
      ),
    ],
  };
}
