import { Lazy } from 'cdk8s';
import { Construct } from 'constructs';
import { defined } from '#base/defined';
import { valueAt } from '#base/values';
import type { Container, NetworkPolicy, PodDisruptionBudget } from '#imports/kubernetes';
import { INJECT, MULTUS_NETWORKS } from '#linkerd/annotations';
import type { Resources } from '#linkerd/container-resources';
import type { LinkerdVersion } from '#linkerd/releases/known-releases';
import type { Release } from '#linkerd/releases/release';
import { LINKERD_NETWORK } from '#operator/api/multus/network-attachment';
import { manifest } from '../../gitops/tree/manifest';
import type { OperatorImage } from '../../gitops/tree/operator-image';
import { dependsOn } from '../../gitops/tree/order';
import { PreparedConstruct } from '../../gitops/tree/prepare';
import type { ILinkerdControlPlane } from '../control-plane/existing-control-plane';
import { networkAttachment } from '../control-plane/network-attachment';
import { sccRoleBinding } from '../control-plane/openshift';
import { configAnnotations } from '../meshing/config/config-annotations';
import { nativeSidecarAnnotations } from '../meshing/inject';
import type { WebhookCertificate } from '../pki/webhook-certificate';
import { type OperatorLogLevel, operatorArguments, type ProxyUsers } from './operator-arguments';
import { operatorDeployment } from './operator-deployment';
import { OPERATOR, OPERATOR_LABELS, OPERATOR_PORTS } from './operator-names';
import type { WebhookClients } from './webhook-clients';

interface OperatorWorkloadProps {
  readonly controlPlane: ILinkerdControlPlane<LinkerdVersion>;
  readonly namespace: string;
  /** The namespaces of the workloads that the operator manages, in addition to the control plane's; absent for all. */
  readonly namespaces?: readonly string[];
  /** Evaluated at synth. */
  readonly multus: () => boolean;
  readonly rotatesAnchor: boolean;
  readonly meshed: boolean;
  /** Whether the operator's own pods attach to the CNI plugin through Multus, evaluated at synth. */
  readonly attaches: () => boolean;
  /** Absent without webhooks. */
  readonly certificate?: WebhookCertificate;
  readonly webhookClients?: WebhookClients;
  readonly image: OperatorImage;
  readonly replicas: number;
  readonly resources: Resources;
  readonly installerFieldManagers?: readonly string[];
  readonly logLevel?: OperatorLogLevel;
  readonly proxyUsers?: ProxyUsers | undefined;
  readonly scraped: boolean;
}

/** The operator's pods, and the objects that only they need. */
export class OperatorWorkload extends Construct {
  constructor(scope: Construct, id: string, props: OperatorWorkloadProps) {
    super(scope, id);
    const { controlPlane, namespace, multus, meshed, attaches, certificate, webhookClients, image, replicas } = props;
    const { cni, release } = controlPlane;
    const webhooks = certificate !== undefined;
    if (cni !== undefined) {
      new PreparedConstruct(this, 'network', (network) => {
        if (attaches()) manifest(network, 'attachment', networkAttachment(namespace, cni));
      });
    }
    const openShift = cni?.openShift ?? false;
    // The operator's webhook ignores its own pods, so their proxies run as a user outside the namespace's range.
    if (openShift && meshed) {
      manifest(this, 'scc', sccRoleBinding({ scc: 'nonroot-v2', namespace, serviceAccounts: [OPERATOR] }));
    }
    const deployment = operatorDeployment(this, {
      namespace,
      image,
      replicas,
      // With the binding above, OpenShift does not choose the pods' user.
      openShift: openShift && !meshed,
      args: Lazy.any({
        produce: () =>
          operatorArguments({
            controlPlaneNamespace: controlPlane.namespace,
            cniNamespace: multus() ? cni?.namespace : undefined,
            cniKubeconfig: cni?.kubeconfig,
            certManagerNamespace: props.rotatesAnchor ? controlPlane.pki.certManager.namespace : undefined,
            workloadNamespaces: props.namespaces,
            webhooks,
            clientCa: webhookClients?.clientCa !== undefined,
            installerFieldManagers: props.installerFieldManagers,
            logLevel: props.logLevel,
            proxyUsers: props.proxyUsers,
          }),
      }),
      podAnnotations: operatorPodAnnotations({ release, meshed, attaches, scraped: props.scraped }),
      resources: containerResources(props.resources),
      certificateSecret: certificate?.secretName,
      clientCa: webhookClients?.clientCa,
    });
    manifest(this, 'deployment', deployment);
    manifest(this, 'disruption-budget', {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: OPERATOR, namespace, labels: OPERATOR_LABELS },
      spec: {
        maxUnavailable: 1,
        // Pods that do not become ready must not keep a node from being drained.
        unhealthyPodEvictionPolicy: 'AlwaysAllow',
        selector: { matchLabels: OPERATOR_LABELS },
      },
    } satisfies PodDisruptionBudget);
    manifest(
      this,
      'network-policy',
      operatorNetworkPolicy(namespace, {
        webhooks,
        webhookClients: webhookClients?.cidrs,
        proxyPorts: meshed
          ? INBOUND_PROXY_PORTS.map((port) =>
              Lazy.any({ produce: () => Number(valueAt(controlPlane.effectiveValues, `proxy.ports.${port}`)) }),
            )
          : [],
      }),
    );
    dependsOn(this, certificate);
  }
}

function containerResources({ cpu, memory }: Resources): Container['resources'] {
  const bounds = (bound: 'request' | 'limit') => defined({ cpu: cpu?.[bound], memory: memory?.[bound] });
  return { requests: bounds('request'), limits: bounds('limit') };
}

/** Ports of API servers: that of the Service, and the usual one behind it. */
const API_SERVER_PORTS = [443, 6443];

interface OperatorMeshing {
  readonly release: Release;
  readonly meshed: boolean;
  /** Whether the pods attach to the CNI plugin through Multus, evaluated at synth. The webhook ignores them. */
  readonly attaches: () => boolean;
  readonly scraped: boolean;
}

/** The operator must work when the mesh does not, so its connections from and to API servers bypass the proxy. */
function operatorPodAnnotations({
  release,
  meshed,
  attaches,
  scraped,
}: OperatorMeshing): Readonly<Record<string, string>> {
  if (!meshed) return {};
  return {
    [INJECT]: 'enabled',
    ...configAnnotations(
      {
        // The API server has no identity in the mesh.
        skipInboundPorts: [OPERATOR_PORTS.webhook],
        skipOutboundPorts: API_SERVER_PORTS,
        // As for pods of the control plane, any client is allowed: otherwise Prometheus could not scrape the operator
        // where the mesh denies by default. The NetworkPolicy limits the ports.
        ...(scraped ? { defaultInboundPolicy: 'all-unauthenticated' as const } : {}),
      },
      release,
    ),
    ...nativeSidecarAnnotations(release),
    [MULTUS_NETWORKS]: Lazy.any({ produce: () => (attaches() ? LINKERD_NETWORK : undefined) }),
  };
}

interface ServedPorts {
  readonly webhooks: boolean;
  /** Networks of the webhooks' clients; absent for all. */
  readonly webhookClients?: readonly string[];
  /** Ports of the pods' proxies; empty where they have none. */
  readonly proxyPorts: readonly number[];
}

/**
 * Ports of a proxy for connections from outside the pod: from meshed clients, from clients of its metrics and probes,
 * and from tap.
 */
const INBOUND_PROXY_PORTS = ['inbound', 'admin', 'control'] as const;

type Ingress = NonNullable<NonNullable<NetworkPolicy['spec']>['ingress']>[number];

/**
 * Renders the policy on connections to the operator. Any client may connect to the ports that it serves, because the
 * addresses of the API server, kubelets and Prometheus differ between clusters; `webhookClients` limits the clients of
 * the webhooks. Outgoing connections are not limited, because the address of the API server differs, too.
 */
function operatorNetworkPolicy(namespace: string, served: ServedPorts): NetworkPolicy {
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
