import { HOUR } from '#base/time-units';
import type { AlertRule } from '#kubernetes/monitoring';
import { alertGroups } from '#lib/constructs/monitoring/mesh-alerts';
import type { MeshAlertName, WatchedMesh } from '#lib/constructs/monitoring/watched-mesh';

/** A mesh with everything that alerts can watch. */
export const WATCHED: WatchedMesh = {
  namespace: 'linkerd',
  thresholds: {
    webhookLatency: 1_000,
    webhookErrors: 0.05,
    identityErrors: 0.1,
    certificateRemaining: 3.6 * HOUR,
    outdatedFor: 3 * HOUR,
    denialsGrowth: 2,
    denialsBefore: HOUR,
    denialsRate: 0.1,
    denialsShare: 0.5,
    reconcileErrors: 0.1,
  },
  issuerOverdue: 24.5 * HOUR,
  sources: { apiServer: true, kubeStateMetrics: true },
  operator: { namespace: 'linkerd-reconciler', webhooks: true },
  multicluster: { namespace: 'linkerd-multicluster', hasGateway: true, targets: ['west', 'north.example'] },
};

/** All alerts of a mesh, as rules. */
export function rulesOf(mesh: WatchedMesh = WATCHED): readonly AlertRule[] {
  return alertGroups(mesh).flatMap(({ alerts }) => alerts.map(({ needs: _, ...rule }) => rule));
}

/** The rules of one alert. */
export function rulesNamed(name: MeshAlertName): readonly AlertRule[] {
  return rulesOf().filter(({ alert }) => alert === name);
}
