import { Lazy } from 'cdk8s';
import { Construct } from 'constructs';
import type { Problem } from '#base/findings/problem';
import { shownValue } from '#base/findings/shown-value';
import type { PrometheusRule } from '#imports/crds/monitoring.coreos.com';
import { type Alerting, checkAlerting, withRunbooks } from '#kubernetes/monitoring';
import { milliseconds } from '#kubernetes/options/duration-like';
import { BOOLEAN, FREE, keysOf, required } from '#kubernetes/options/known-keys';
import type { LinkerdVersion } from '#linkerd/releases/known-releases';
import { leafReach } from '../../checks/linkerd/identity-issuer-check';
import { addRule } from '../../gitops/tree/add-rule';
import { manifest } from '../../gitops/tree/manifest';
import { propOfMap, propsOf } from '../../gitops/tree/prop-of-shape';
import { declareReferences } from '../../gitops/tree/references';
import { CONTROL_PLANE, type LinkerdControlPlane } from '../control-plane/linkerd-control-plane';
import { MULTICLUSTER, type Multicluster } from '../multicluster/multicluster';
import { OPERATOR, type ReconcilerOperator } from '../operator/reconciler-operator';

import { controlPlaneAlerts } from './control-plane-alerts';
import { MONITORING_FINDINGS } from './findings';
import { multiclusterAlerts } from './multicluster-alerts';
import { operatorAlerts } from './operator-alerts';
import { proxyAlerts } from './proxy-alerts';
import { type AlertThresholds, type KnownThresholds, THRESHOLDS, thresholdsOf } from './thresholds';
import { type AlertGroup, MESH_ALERTS, type MeshAlertName, type WatchedMesh } from './watched-mesh';

/** Metrics of other components that Prometheus may have. */
export interface AlertMetrics {
  /**
   * Create the alerts that need the metrics of the API server.
   *
   * @default true - as kube-prometheus-stack scrapes them
   */
  readonly apiServer?: boolean;

  /**
   * Create the alerts that need kube-state-metrics.
   *
   * @default true - as kube-prometheus-stack scrapes them
   */
  readonly kubeStateMetrics?: boolean;
}

/** How MeshAlerts alerts. */
export interface AlertOptions {
  /**
   * When alerts fire.
   *
   * @default {} - the default of each threshold
   */
  readonly thresholds?: AlertThresholds;

  /**
   * The label `severity` of single alerts; `false` leaves an alert out.
   *
   * @default - 'critical' for failures that stop the mesh or new pods, 'warning' for others
   */
  readonly severity?: Readonly<Partial<Record<MeshAlertName, string | false>>>;

  /**
   * Which metrics of other components Prometheus has. An alert fires if one of them is missing.
   *
   * @default {} - all
   */
  readonly metrics?: AlertMetrics;

  /**
   * URL at which you publish docs/alerts.md of this library, such as `https://docs.example.com/docs/alerts.html`. Each
   * alert links to its section of that page, by the annotation `runbook_url`.
   *
   * @default - none: the annotation `runbook` names the section in docs/alerts.md of the package
   */
  readonly runbooks?: string;
}

/** Props of MeshAlerts: what to watch, and where the alerts go. */
export interface MeshAlertsProps extends Omit<Alerting, 'runbooks'>, AlertOptions {
  /** The control plane to watch, with its proxies. It needs `monitoring`. */
  readonly controlPlane: LinkerdControlPlane<LinkerdVersion>;

  /**
   * The operator to watch. It needs `monitoring`.
   *
   * @default - no alerts on the operator
   */
  readonly operator?: ReconcilerOperator<LinkerdVersion> | undefined;

  /**
   * The multi-cluster extension to watch, with its Links.
   *
   * @default - no alerts on gateways and links
   */
  readonly multicluster?: Multicluster<LinkerdVersion> | undefined;
}

const METRICS = keysOf<AlertMetrics>({ apiServer: BOOLEAN, kubeStateMetrics: BOOLEAN });

/** The keys of AlertOptions. */
export const ALERT_OPTIONS = keysOf<AlertOptions>({
  thresholds: THRESHOLDS,
  severity: FREE,
  metrics: METRICS,
  runbooks: true,
});

const PROPS = keysOf<MeshAlertsProps>({
  controlPlane: required(CONTROL_PLANE),
  operator: OPERATOR,
  multicluster: MULTICLUSTER,
  namespace: true,
  labels: FREE,
  runbooks: true,
  thresholds: THRESHOLDS,
  severity: FREE,
  metrics: METRICS,
});

/**
 * Alerts on the mesh, as the PrometheusRule `linkerd-mesh`: injector, identity, proxies, control plane, denials, links,
 * gateway and operator. `alerts` of CertManagerPKI creates those on certificates and on the rotation of the trust
 * anchor. docs/alerts.md has a section about each alert.
 *
 * Requires the CRDs of the Prometheus operator.
 *
 * @example
 * new MeshAlerts(home, 'alerts', { controlPlane, operator, namespace: 'monitoring', thresholds: { denialsShare: 0.1 } });
 */
export class MeshAlerts extends Construct {
  constructor(scope: Construct, id: string, props: MeshAlertsProps) {
    super(scope, id);
    const given = propsOf<MeshAlertsProps>(this, PROPS, props);
    const { controlPlane, operator, namespace } = given;
    const labels = propOfMap(this, 'labels', given.labels);
    const severity = propOfMap(this, 'severity', given.severity) ?? {};
    const thresholds = thresholdsOf(this, given.thresholds ?? {}, controlPlane.pki.issuanceLifetime);
    manifest(this, 'rule', {
      apiVersion: 'monitoring.coreos.com/v1',
      kind: 'PrometheusRule',
      metadata: { name: 'linkerd-mesh', namespace, labels: { ...labels } },
      spec: {
        // Constructs may add Links, and parts of the operator, until synth.
        groups: Lazy.any({ produce: () => ruleGroups(alertGroups(watchedMesh(given, thresholds)), severity, given) }),
      },
    } satisfies PrometheusRule);
    declareReferences(this, { external: [{ kind: 'Namespace', name: namespace }] });
    addRule(this, () => [
      ...checkAlerting({ ...given, labels }),
      ...checkSeverity(severity),
      ...(controlPlane.isMonitored ? [] : [MONITORING_FINDINGS.alertMetricsMissingControlPlane()]),
      ...(operator === undefined || operator.isMonitored ? [] : [MONITORING_FINDINGS.alertMetricsMissingOperator()]),
    ]);
  }
}

function watchedMesh(props: MeshAlertsProps, thresholds: KnownThresholds): WatchedMesh {
  const { controlPlane, operator, multicluster, metrics = {} } = props;
  const { pki } = controlPlane;
  const reach = leafReach({
    issuanceLifetime: milliseconds(pki.issuanceLifetime),
    clockSkewAllowance: milliseconds(pki.clockSkewAllowance),
  });
  return {
    namespace: controlPlane.namespace,
    thresholds,
    // The alert on the Certificate has the same threshold.
    issuerOverdue: reach + (milliseconds(pki.identityIssuer.renewBefore) - reach) / 2,
    sources: { apiServer: metrics.apiServer !== false, kubeStateMetrics: metrics.kubeStateMetrics !== false },
    ...(operator !== undefined && { operator: { namespace: operator.namespace, webhooks: operator.hasWebhooks } }),
    ...(multicluster !== undefined && {
      multicluster: {
        namespace: multicluster.namespace,
        hasGateway: multicluster.hasGateway,
        targets: multicluster.targets,
      },
    }),
  };
}

/** Returns all alerts of a mesh, by subject. */
export function alertGroups(mesh: WatchedMesh): readonly AlertGroup[] {
  const groups = [
    ...controlPlaneAlerts(mesh),
    ...proxyAlerts(mesh),
    ...multiclusterAlerts(mesh),
    ...operatorAlerts(mesh),
  ];
  return groups.map(({ name, alerts }) => ({
    name,
    alerts: alerts.filter(({ needs }) => needs === undefined || mesh.sources[needs]),
  }));
}

function ruleGroups(
  groups: readonly AlertGroup[],
  severity: NonNullable<AlertOptions['severity']>,
  alerting: Alerting,
): readonly object[] {
  return groups
    .map(({ name, alerts }) => {
      const kept = alerts.filter(({ alert }) => severity[alert] !== false);
      const rules = kept.map(({ needs: _, ...rule }) => {
        const own = severity[rule.alert];
        return typeof own === 'string' ? { ...rule, labels: { ...rule.labels, severity: own } } : rule;
      });
      return { name, rules: withRunbooks(rules, alerting) };
    })
    .filter(({ rules }) => rules.length > 0);
}

function checkSeverity(severity: Readonly<Record<string, unknown>>): readonly Problem[] {
  const names: readonly string[] = MESH_ALERTS;
  return Object.entries(severity).flatMap(([name, value]) => [
    ...(names.includes(name) ? [] : [MONITORING_FINDINGS.alertUnknown({ name, names: names.join(', ') })]),
    ...(value === false || value === undefined || (typeof value === 'string' && value !== '')
      ? []
      : [MONITORING_FINDINGS.alertSeverityRefused({ name, value: shownValue(value) })]),
  ]);
}
