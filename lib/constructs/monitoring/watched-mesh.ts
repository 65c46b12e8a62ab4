import type { AlertRule } from '#kubernetes/monitoring';
import type { KnownThresholds } from './thresholds';

/** The alerts of MeshAlerts, each with a section in docs/alerts.md. */
export const MESH_ALERTS = [
  'LinkerdInjectorDown',
  'LinkerdInjectorUnreachable',
  'LinkerdPodsWithoutProxyRefused',
  'LinkerdIdentityDown',
  'LinkerdIdentityErrors',
  'LinkerdIdentityIssuerNotReloaded',
  'LinkerdProxyWithoutIdentity',
  'LinkerdProxyCertificateExpiring',
  'LinkerdProxyOutdated',
  'LinkerdDestinationDown',
  'LinkerdControlPlaneNotReady',
  'LinkerdWebhookUnreachable',
  'LinkerdWebhookSlow',
  'LinkerdMetricsMissing',
  'LinkerdDenialsIncreased',
  'LinkerdDenialsHigh',
  'LinkerdTargetGatewayDown',
  'LinkerdServiceMirrorDown',
  'LinkerdGatewayDown',
  'LinkerdOperatorWithoutLeader',
  'LinkerdOperatorReconcileErrors',
  'LinkerdOperatorWebhookErrors',
  'LinkerdOperatorWebhookSlow',
] as const;

/** Name of an alert of MeshAlerts. */
export type MeshAlertName = (typeof MESH_ALERTS)[number];

type MetricsSource = 'apiServer' | 'kubeStateMetrics';

/** An alert of MeshAlerts. */
export interface MeshAlert extends AlertRule {
  readonly alert: MeshAlertName;
  /** Metrics of another component without which the alert cannot fire. */
  readonly needs?: MetricsSource;
}

/** Alerts on one subject. */
export interface AlertGroup {
  readonly name: string;
  readonly alerts: readonly MeshAlert[];
}

/** The facts that the alerts of a mesh depend on. */
export interface WatchedMesh {
  /** Namespace of the control plane. */
  readonly namespace: string;
  readonly thresholds: KnownThresholds;
  /** Remaining lifetime of the identity issuer below which a renewal is overdue, in milliseconds. */
  readonly issuerOverdue: number;
  /** The metrics that Prometheus has. */
  readonly sources: Readonly<Record<MetricsSource, boolean>>;
  readonly operator?: { readonly namespace: string; readonly webhooks: boolean };
  readonly multicluster?: {
    readonly namespace: string;
    readonly hasGateway: boolean;
    /** Names of linked clusters. */
    readonly targets: readonly string[];
  };
}

/** Returns a time in PromQL, in whole seconds. */
export function promDuration(ms: number): string {
  return `${Math.floor(ms / 1_000)}s`;
}
