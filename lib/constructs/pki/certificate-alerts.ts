import { Lazy } from 'cdk8s';
import { Construct } from 'constructs';
import { ANCHOR } from '#anchor/trust-anchor';
import type { PrometheusRule } from '#imports/crds/monitoring.coreos.com';
import { type Alerting, type AlertRule, alertRule, checkAlerting, withRunbooks } from '#kubernetes/monitoring';
import { durationText } from '#kubernetes/options/duration-like';
import { leafReach } from '../../checks/linkerd/identity-issuer-check';
import { addRule } from '../../gitops/tree/add-rule';
import { manifest } from '../../gitops/tree/manifest';
import { declareReferences } from '../../gitops/tree/references';
import { ANCHOR_NAMES, anchorAlerts, pemAnchorAlerts } from './anchor-alerts';
import { expiryAlert, type WatchedWindows } from './expiry-alert';

/** Props of CertificateAlerts. */
export interface CertificateAlertsProps extends Alerting {
  /** Called at synth, when the rotation of the anchor is known. */
  readonly windows: () => WatchedWindows;
}

/**
 * Alerts on the mesh's certificates, from the metrics of cert-manager, which Prometheus must scrape (`prometheus` in
 * its chart's values). Requires the CRDs of prometheus-operator.
 */
export class CertificateAlerts extends Construct {
  constructor(scope: Construct, id: string, props: CertificateAlertsProps) {
    super(scope, id);
    addRule(this, () => checkAlerting(props, 'alerts.'));
    declareReferences(this, { external: [{ kind: 'Namespace', name: props.namespace }] });
    manifest(this, 'rule', {
      apiVersion: 'monitoring.coreos.com/v1',
      kind: 'PrometheusRule',
      metadata: { name: 'linkerd-certificates', namespace: props.namespace, labels: { ...props.labels } },
      spec: {
        groups: [
          {
            name: 'linkerd-certificates',
            rules: Lazy.any({ produce: () => withRunbooks(certificateAlerts(props.windows()), props) }),
          },
        ],
      },
    } satisfies PrometheusRule);
  }
}

/** Returns all alerts, with thresholds computed from the actual windows. */
export function certificateAlerts(windows: WatchedWindows): readonly AlertRule[] {
  const reach = leafReach(windows);
  return [
    ...(windows.trustAnchor === undefined ? [] : anchorAlerts(windows, windows.trustAnchor)),
    ...pemAnchorAlerts(windows),
    ...expiryAlert({
      alert: 'LinkerdIdentityIssuer',
      title: "Linkerd's identity issuer",
      selector: IDENTITY_ISSUER,
      renewBefore: windows.identityIssuer.renewBefore,
      needed: reach,
      consequence: `In its last ${durationText(reach)}, it signs certificates that outlive it; when it expires, the mesh stops.`,
    }),
    ...expiryAlert({
      alert: 'LinkerdWebhookIssuer',
      title: "The CA of Linkerd's webhooks",
      selector: WEBHOOK_ISSUER,
      renewBefore: windows.webhookIssuer.renewBefore,
      needed: windows.webhooks.duration,
      consequence: `In its last ${durationText(windows.webhooks.duration)}, it signs certificates that outlive it; when it expires, the API server cannot call the webhooks.`,
    }),
    ...expiryAlert({
      alert: 'LinkerdWebhookCertificate',
      title: 'The certificate {{ $labels.name }} of a Linkerd webhook',
      selector: WEBHOOKS,
      renewBefore: windows.webhooks.renewBefore,
      needed: windows.webhooks.renewBefore / 4,
      consequence:
        'When it expires, the API server cannot call the webhook: pods are not injected, or not admitted at all.',
    }),
    ...stateAlerts(windows),
  ];
}

// By name and issuer, not by namespace: without honorLabels, the label `namespace` is that of the scraped pod.
const IDENTITY_ISSUER = 'name="linkerd-identity-issuer"';
const WEBHOOK_ISSUER = 'name="linkerd-webhook-issuer"';
const WEBHOOKS = 'issuer_kind="ClusterIssuer",issuer_name="linkerd-webhook-issuer"';

function stateAlerts({ trustAnchor, rotation, anchorName = ANCHOR }: WatchedWindows): readonly AlertRule[] {
  const names = [
    ...(trustAnchor === undefined ? [] : [rotation === 'operator' ? ANCHOR_NAMES : anchorName]),
    'linkerd-identity-issuer',
    'linkerd-webhook-issuer',
  ].join('|');
  const ready = 'certmanager_certificate_ready_status';
  return [
    alertRule({
      alert: 'LinkerdCertificateNotReady',
      expr: `${ready}{condition="True",name=~"${names}"} == 0 or ${ready}{condition="True",${WEBHOOKS}} == 0`,
      for: '15m',
      severity: 'warning',
      summary: 'Certificate {{ $labels.name }} of the mesh is not ready',
      description:
        'cert-manager has failed to issue the certificate for 15 minutes: check the conditions of the Certificate and of its newest CertificateRequest.',
    }),
    alertRule({
      alert: 'LinkerdCertificateMetricsMissing',
      expr: `absent(certmanager_certificate_expiration_timestamp_seconds{${IDENTITY_ISSUER}})`,
      for: '1h',
      severity: 'warning',
      summary: "No metrics about the mesh's certificates",
      description:
        "Prometheus does not scrape cert-manager, or Linkerd's identity issuer does not exist, so no alert can report an expiring certificate.",
    }),
  ];
}
