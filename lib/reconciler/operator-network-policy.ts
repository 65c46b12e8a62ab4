import type { NetworkPolicy } from '../../imports/kubernetes';
import { OPERATOR, OPERATOR_LABELS, OPERATOR_PORTS } from './operator-names';

/** Ports of a proxy: where meshed clients connect, and where its own metrics and probes are. */
const PROXY_PORTS = [4143, 4191];

/**
 * Who may connect to the operator: anybody, but only to the ports that it serves. Where the API server (which calls the
 * webhooks), kubelets and Prometheus connect from is different in each cluster, and so is where the operator finds the
 * API server: what it connects to itself is not limited.
 */
export function operatorNetworkPolicy(namespace: string, { webhooks }: { readonly webhooks: boolean }): NetworkPolicy {
  const { webhook, metrics, health } = OPERATOR_PORTS;
  const ports = [...(webhooks ? [webhook] : []), metrics, health, ...PROXY_PORTS];
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: OPERATOR, namespace },
    spec: {
      podSelector: { matchLabels: OPERATOR_LABELS },
      policyTypes: ['Ingress'],
      ingress: [{ ports: ports.map((port) => ({ port, protocol: 'TCP' as const })) }],
    },
  };
}
