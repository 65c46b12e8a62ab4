import type { NetworkPolicy } from '../../../imports/kubernetes';
import { type Values, valueAt } from '../../kubernetes/values';
import { OPERATOR, OPERATOR_LABELS, OPERATOR_PORTS } from './operator-names';

/** Ports that the operator's pods serve, beside metrics and probes. */
export interface ServedPorts {
  readonly webhooks: boolean;
  /** Networks of who may ask the webhooks; absent for anybody. */
  readonly webhookClients?: readonly string[];
  /** Ports of the pods' proxies; empty where they have none. */
  readonly proxyPorts: readonly number[];
}

/** Ports of a proxy that others connect to: meshed clients, whoever wants its metrics and probes, and tap. */
export const INBOUND_PROXY_PORTS = ['inbound', 'admin', 'control'] as const;

/**
 * The number of a proxy's port.
 *
 * @param controlPlaneValues all values of the control plane's chart
 */
export function inboundProxyPort(controlPlaneValues: Values, port: (typeof INBOUND_PROXY_PORTS)[number]): number {
  return Number(valueAt(controlPlaneValues, `proxy.ports.${port}`));
}

type Ingress = NonNullable<NonNullable<NetworkPolicy['spec']>['ingress']>[number];

/**
 * Renders the policy on who may connect to the operator: anybody, but only to the ports that it serves, and to the
 * webhooks only those that are named, if any are. Where the API server (which calls the webhooks), kubelets and
 * Prometheus connect from is different in each cluster, and so is where the operator finds the API server: what it
 * connects to itself is not limited.
 */
export function operatorNetworkPolicy(namespace: string, served: ServedPorts): NetworkPolicy {
  const { webhooks, webhookClients, proxyPorts } = served;
  const { webhook, metrics, health } = OPERATOR_PORTS;
  const isLimited = webhooks && webhookClients !== undefined;
  const open = [...(webhooks && !isLimited ? [webhook] : []), metrics, health, ...proxyPorts];
  const onPorts = (ports: readonly number[]): Ingress => ({
    ports: ports.map((port) => ({ port, protocol: 'TCP' as const })),
  });
  const limited = { from: webhookClients?.map((cidr) => ({ ipBlock: { cidr } })), ...onPorts([webhook]) };
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: OPERATOR, namespace },
    spec: {
      podSelector: { matchLabels: OPERATOR_LABELS },
      policyTypes: ['Ingress'],
      ingress: [onPorts(open), ...(isLimited ? [limited] : [])],
    },
  };
}
