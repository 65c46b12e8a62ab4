import { alertRule } from '#kubernetes/monitoring';
import type { AlertGroup, MeshAlert, WatchedMesh } from './watched-mesh';

/** Returns the alerts on links to other clusters, and on this cluster's own gateway. */
export function multiclusterAlerts({ multicluster }: WatchedMesh): readonly AlertGroup[] {
  if (multicluster === undefined) return [];
  const { namespace, hasGateway, targets } = multicluster;
  const links =
    targets.length === 0 ? [] : [targetGatewayDown(), ...targets.map((each) => mirrorDown(namespace, each))];
  return [{ name: 'linkerd-multicluster', alerts: [...links, ...(hasGateway ? [gatewayDown(namespace)] : [])] }];
}

/** The maximum over replicas, because only one replica of a service mirror probes the gateway. */
function targetGatewayDown(): MeshAlert {
  return alertRule({
    alert: 'LinkerdTargetGatewayDown',
    expr: 'max by (target_cluster_name) (gateway_alive) == 0',
    for: '5m',
    severity: 'critical',
    summary: 'The gateway of cluster {{ $labels.target_cluster_name }} does not respond',
    description:
      'Services that are mirrored through it have no endpoints in this cluster. Its pods or its address are down, or the two clusters do not trust each other.',
  });
}

function mirrorDown(namespace: string, target: string): MeshAlert {
  // The rest of a pod's name has no hyphens, so that `west` does not match `west-2`.
  const pods = `controller-${target.replaceAll('.', '[.]')}-[^-]+-[^-]+`;
  return alertRule({
    alert: 'LinkerdServiceMirrorDown',
    expr: `absent(up{job="linkerd-service-mirror",namespace="${namespace}",pod=~"${pods}"} == 1)`,
    for: '10m',
    severity: 'warning',
    labels: { target_cluster_name: target },
    summary: `The service mirror of cluster ${target} does not run`,
    description:
      'Mirrored services stay as they are: changes in the other cluster, and a gateway that fails, have no effect here.',
  });
}

function gatewayDown(namespace: string): MeshAlert {
  return alertRule({
    alert: 'LinkerdGatewayDown',
    expr: `absent(up{job="linkerd-proxy",namespace="${namespace}",pod=~"linkerd-gateway-.+"} == 1)`,
    for: '5m',
    severity: 'critical',
    summary: "No pod of this cluster's gateway responds",
    description: "Other clusters cannot reach this cluster's exported services through it.",
  });
}
