import { alertRule } from '#kubernetes/monitoring';
import { OPERATOR } from '../operator/operator-names';
import type { AlertGroup, MeshAlert, WatchedMesh } from './watched-mesh';

/** Returns the alerts on the operator, except those on the rotation, which are among the alerts on certificates. */
export function operatorAlerts(mesh: WatchedMesh): readonly AlertGroup[] {
  const { operator } = mesh;
  if (operator === undefined) return [];
  const own = `namespace="${operator.namespace}"`;
  return [
    {
      name: 'linkerd-operator',
      alerts: [
        withoutLeader(own),
        reconcileErrors(own, mesh),
        ...(operator.webhooks ? [webhookErrors(own, mesh), webhookSlow(own, mesh)] : []),
      ],
    },
  ];
}

function withoutLeader(own: string): MeshAlert {
  return alertRule({
    alert: 'LinkerdOperatorWithoutLeader',
    expr: `(sum(leader_election_master_status{name="${OPERATOR}",${own}}) or vector(0)) != 1`,
    for: '5m',
    severity: 'critical',
    summary: '{{ $value }} pods of the operator lead, instead of one',
    description: `Without a leader, no LinkerdConfig is applied, nothing is restarted or attached, and the trust anchor is not rotated. No pod of the operator runs, none can renew the Lease ${OPERATOR}, or Prometheus does not scrape them.`,
  });
}

function reconcileErrors(own: string, { thresholds }: WatchedMesh): MeshAlert {
  const rate = (metric: string) => `sum by (controller) (rate(controller_runtime_${metric}_total{${own}}[15m]))`;
  return alertRule({
    alert: 'LinkerdOperatorReconcileErrors',
    expr: `${rate('reconcile_errors')} / ${rate('reconcile')} > ${thresholds.reconcileErrors}`,
    for: '15m',
    severity: 'warning',
    summary: '{{ $value | humanizePercentage }} of the reconciles of {{ $labels.controller }} fail',
    description:
      'The controller retries with growing pauses. The log of the leading pod names the objects and the errors.',
  });
}

function webhookErrors(own: string, { thresholds }: WatchedMesh): MeshAlert {
  const rate = (code = '') => `sum by (webhook) (rate(controller_runtime_webhook_requests_total{${own}${code}}[10m]))`;
  return alertRule({
    alert: 'LinkerdOperatorWebhookErrors',
    expr: `${rate(',code!="200"')} / ${rate()} > ${thresholds.webhookErrors}`,
    for: '15m',
    severity: 'warning',
    summary:
      'Webhook {{ $labels.webhook }} of the operator answers {{ $value | humanizePercentage }} of the requests with errors',
    description: 'The API server rejects LinkerdConfigs and TrustAnchors, or admits pods that are not attached.',
  });
}

function webhookSlow(own: string, { thresholds }: WatchedMesh): MeshAlert {
  const buckets = `controller_runtime_webhook_latency_seconds_bucket{${own}}`;
  return alertRule({
    alert: 'LinkerdOperatorWebhookSlow',
    expr: `histogram_quantile(0.99, sum by (webhook, le) (rate(${buckets}[10m]))) > ${thresholds.webhookLatency / 1_000}`,
    for: '15m',
    severity: 'warning',
    summary: 'Webhook {{ $labels.webhook }} of the operator takes {{ $value | humanizeDuration }}',
    description:
      'This is the 99th percentile, without the network between the API server and the operator. New pods in namespaces of MultusAttach wait as long.',
  });
}
