import { alertRule } from '#kubernetes/monitoring';
import { seconds } from '../pki/expiry-alert';
import type { AlertGroup, MeshAlert, MeshAlertName, WatchedMesh } from './watched-mesh';

const INJECTOR = 'name="linkerd-proxy-injector.linkerd.io"';
const WEBHOOKS = 'name=~".+[.]linkerd[.]io"';

/** Returns the alerts on the control plane, by subject. */
export function controlPlaneAlerts(mesh: WatchedMesh): readonly AlertGroup[] {
  return [
    { name: 'linkerd-injector', alerts: injectorAlerts(mesh) },
    { name: 'linkerd-identity', alerts: identityAlerts(mesh) },
    {
      name: 'linkerd-control-plane',
      alerts: [
        componentDown(mesh, {
          alert: 'LinkerdDestinationDown',
          component: 'destination',
          consequence:
            'Proxies keep the endpoints and policies that they know: new pods do not become ready, and changes of Services and policies have no effect.',
        }),
        notReady(mesh),
        ...webhookAlerts(mesh),
        ...missingMetrics(mesh),
      ],
    },
  ];
}

interface Component {
  readonly alert: MeshAlertName;
  /** Name of its container, which is the label `component` of its metrics. */
  readonly component: string;
  readonly consequence: string;
}

/** Only `up` shows that a component is gone: the component's metrics disappear with it. */
function componentDown({ namespace }: WatchedMesh, { alert, component, consequence }: Component): MeshAlert {
  return alertRule({
    alert,
    expr: `absent(up{job="linkerd-controller",namespace="${namespace}",component="${component}"} == 1)`,
    for: '5m',
    severity: 'critical',
    labels: { component },
    summary: `Linkerd's ${component} does not respond`,
    description: `No pod of ${component} runs in namespace ${namespace}, or Prometheus does not reach its metrics. ${consequence}`,
  });
}

/** Returns the rate of failed calls by webhook. The API server has a separate counter for webhooks that fail open. */
function failedCalls(matchers: string): string {
  const calls = (counter: string, more = '') =>
    `sum by (name) (rate(apiserver_admission_webhook_${counter}{${matchers}${more}}[5m])) > 0`;
  return `${calls('rejection_count', ',error_type="calling_webhook_error"')} or ${calls('fail_open_count')}`;
}

function injectorAlerts(mesh: WatchedMesh): readonly MeshAlert[] {
  return [
    componentDown(mesh, {
      alert: 'LinkerdInjectorDown',
      component: 'proxy-injector',
      consequence:
        'With high availability, no new pod starts. Otherwise new pods start without a proxy, except where a policy rejects pods without one.',
    }),
    alertRule({
      alert: 'LinkerdInjectorUnreachable',
      needs: 'apiServer',
      expr: failedCalls(INJECTOR),
      for: '5m',
      severity: 'critical',
      summary: "The API server cannot call Linkerd's proxy injector",
      description:
        'New pods are rejected, or start without a proxy if the webhook fails open. The injector is down, is not reachable from the API server, or its certificate does not match the caBundle of the webhook.',
    }),
    alertRule({
      alert: 'LinkerdPodsWithoutProxyRefused',
      needs: 'apiServer',
      expr: 'sum by (policy) (rate(apiserver_validating_admission_policy_check_total{policy=~"linkerd-require-proxy-.+",enforcement_action="deny"}[10m])) > 0',
      for: '15m',
      severity: 'warning',
      summary: 'Pods are rejected because they have no proxy: {{ $labels.policy }}',
      description:
        'The injector does not respond, does not see the pods, or cannot inject them. The Events FailedCreate of their ReplicaSets, Jobs and so on name them.',
    }),
  ];
}

function identityAlerts(mesh: WatchedMesh): readonly MeshAlert[] {
  const { namespace, issuerOverdue, thresholds } = mesh;
  const certify = (code = '') =>
    `sum(rate(grpc_server_handled_total{namespace="${namespace}",component="identity",grpc_service="io.linkerd.proxy.identity.Identity",grpc_method="Certify"${code}}[10m]))`;
  const certificate =
    '(certmanager_certificate_expiration_timestamp_seconds{name="linkerd-identity-issuer"} > 0) - time()';
  return [
    componentDown(mesh, {
      alert: 'LinkerdIdentityDown',
      component: 'identity',
      consequence:
        'New pods do not become ready. Running proxies keep their certificates until these expire, within issuanceLifetime.',
    }),
    alertRule({
      alert: 'LinkerdIdentityErrors',
      // The other codes are the fault of single pods, which LinkerdProxyWithoutIdentity reports.
      expr: `${certify(',grpc_code!~"OK|InvalidArgument|FailedPrecondition"')} / ${certify()} > ${thresholds.identityErrors}`,
      for: '15m',
      severity: 'critical',
      summary: "Linkerd's identity fails to answer {{ $value | humanizePercentage }} of the requests for certificates",
      description:
        'The proxies concerned do not become ready, or lose their identity when their certificate expires. The log of identity has the reasons.',
    }),
    alertRule({
      alert: 'LinkerdIdentityIssuerNotReloaded',
      // If cert-manager has not renewed the issuer, the alerts on its Certificate fire instead.
      expr: `min by (pod) (issuer_cert_ttl_seconds{namespace="${namespace}"}) < ${seconds(issuerOverdue)} unless on () ${certificate} < ${seconds(issuerOverdue)}`,
      for: '10m',
      severity: 'critical',
      summary: 'Identity pod {{ $labels.pod }} does not use the renewed issuer',
      description:
        'cert-manager renewed the identity issuer, but this pod still signs with the earlier one, which expires in {{ $value | humanizeDuration }}, or has none. The Event IssuerUpdateSkipped has the reason.',
    }),
  ];
}

function notReady({ namespace }: WatchedMesh): MeshAlert {
  const deployments = `namespace="${namespace}",deployment=~"linkerd-(destination|identity|proxy-injector)"`;
  const replicas = (metric: string) => `max by (deployment) (${metric}{${deployments}})`;
  return alertRule({
    alert: 'LinkerdControlPlaneNotReady',
    needs: 'kubeStateMetrics',
    expr: `${replicas('kube_deployment_status_replicas_ready')} < ${replicas('kube_deployment_spec_replicas')}`,
    for: '15m',
    severity: 'warning',
    summary: 'Only {{ $value }} pods of {{ $labels.deployment }} are ready',
    description: `Deployment {{ $labels.deployment }} in namespace ${namespace} has fewer ready pods than replicas: the next failure may stop the component.`,
  });
}

function webhookAlerts({ thresholds, operator }: WatchedMesh): readonly MeshAlert[] {
  const buckets = `apiserver_admission_webhook_admission_duration_seconds_bucket{${WEBHOOKS}}`;
  const whose = operator === undefined ? 'Linkerd' : 'Linkerd or the operator';
  return [
    alertRule({
      alert: 'LinkerdWebhookUnreachable',
      needs: 'apiServer',
      expr: failedCalls(`${WEBHOOKS},${INJECTOR.replace('=', '!=')}`),
      for: '5m',
      severity: 'warning',
      summary: 'The API server cannot call webhook {{ $labels.name }}',
      description: `It rejects the objects that this webhook of ${whose} checks, such as policies, or admits them unchecked if the webhook fails open.`,
    }),
    alertRule({
      alert: 'LinkerdWebhookSlow',
      needs: 'apiServer',
      expr: `histogram_quantile(0.99, sum by (name, le) (rate(${buckets}[10m]))) > ${thresholds.webhookLatency / 1_000}`,
      for: '15m',
      severity: 'warning',
      summary: 'Webhook {{ $labels.name }} takes {{ $value | humanizeDuration }}',
      description:
        'This is the 99th percentile, as the API server measures it. Requests for pods or other objects wait as long, and fail at the timeout of the webhook.',
    }),
  ];
}

/** An alert never fires without its metrics, so this one reports missing metrics. */
function missingMetrics({ namespace }: WatchedMesh): readonly MeshAlert[] {
  const missing = (metrics: string, series: string, needs?: MeshAlert['needs']): MeshAlert =>
    alertRule({
      alert: 'LinkerdMetricsMissing',
      ...(needs !== undefined && { needs }),
      expr: `absent(${series})`,
      for: '30m',
      severity: 'warning',
      labels: { metrics },
      summary: `No metrics of ${metrics} for alerts on the mesh`,
      description: `Prometheus does not scrape ${metrics}, or drops these metrics: the alerts that need them cannot fire.`,
    });
  return [
    missing('the proxies', `proxy_build_info{control_plane_ns="${namespace}"}`),
    // The API server has this metric from its start, unlike the metrics of single webhooks.
    missing('the API server', 'apiserver_admission_controller_admission_duration_seconds_count', 'apiServer'),
    missing('kube-state-metrics', `kube_deployment_spec_replicas{namespace="${namespace}"}`, 'kubeStateMetrics'),
  ];
}
