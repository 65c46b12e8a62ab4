import { Lazy } from 'cdk8s';
import { Construct } from 'constructs';
import type { Container, PodDisruptionBudget } from '../../../imports/kubernetes';
import { manifest } from '../../gitops/tree/manifest';
import type { OperatorImage } from '../../gitops/tree/operator-image';
import { dependsOn } from '../../gitops/tree/order';
import { PreparedConstruct } from '../../gitops/tree/prepare';
import type { Resources } from '../../linkerd/container-resources';
import type { LinkerdVersion } from '../../linkerd/releases/release';
import type { LinkerdControlPlane } from '../control-plane/linkerd-control-plane';
import { networkAttachment } from '../control-plane/network-attachment';
import { sccRoleBinding } from '../control-plane/openshift-sccs';
import type { WebhookCertificate } from '../pki/webhook-certificate';
import { type OperatorLogLevel, operatorArguments } from './operator-arguments';
import { operatorDeployment } from './operator-deployment';
import { OPERATOR, OPERATOR_LABELS } from './operator-names';
import { INBOUND_PROXY_PORTS, inboundProxyPort, operatorNetworkPolicy } from './operator-network-policy';
import { operatorPodAnnotations } from './operator-pod-annotations';
import type { ProxyUsers } from './proxy-users';
import type { WebhookClients } from './webhook-clients';

/** Props of OperatorWorkload. */
export interface OperatorWorkloadProps {
  readonly controlPlane: LinkerdControlPlane<LinkerdVersion>;
  readonly namespace: string;
  /** The namespaces of the workloads that it looks after, besides the control plane's; absent for all. */
  readonly namespaces?: readonly string[];
  /** Tells whether it attaches pods by Multus, asked at synth. */
  readonly multus: () => boolean;
  /** Tells whether it rotates the trust anchor. */
  readonly rotatesAnchor: boolean;
  /** Tells whether the pods have a proxy. */
  readonly meshed: boolean;
  /** Tells whether the pods attach to the CNI plugin by Multus themselves, asked at synth. */
  readonly attaches: () => boolean;
  /** The webhooks' certificate; absent without webhooks. */
  readonly certificate?: WebhookCertificate;
  readonly webhookClients?: WebhookClients;
  readonly image: OperatorImage;
  readonly replicas: number;
  readonly resources: Resources;
  readonly installerFieldManagers?: readonly string[];
  readonly logLevel?: OperatorLogLevel;
  readonly proxyUsers?: ProxyUsers | undefined;
  /** Tells whether a Prometheus is to scrape the pods. */
  readonly scraped: boolean;
}

/** The operator's pods, and what only they need. */
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
    // Their proxy's user is outside of the namespace's range: the webhook that sets one inside leaves them alone.
    if (openShift && meshed) {
      manifest(this, 'scc', sccRoleBinding({ scc: 'nonroot-v2', namespace, serviceAccounts: [OPERATOR] }));
    }
    const deployment = operatorDeployment(this, {
      namespace,
      image,
      replicas,
      // With that binding OpenShift chooses no user.
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
              Lazy.any({ produce: () => inboundProxyPort(controlPlane.effectiveValues, port) }),
            )
          : [],
      }),
    );
    dependsOn(this, certificate);
  }
}

/** Resources in Kubernetes' form. */
function containerResources({ cpu, memory }: Resources): Container['resources'] {
  const bounds = (bound: 'request' | 'limit') => {
    const quantities = { cpu: cpu?.[bound], memory: memory?.[bound] };
    return Object.fromEntries(
      Object.entries(quantities).filter((entry): entry is [string, string] => entry[1] !== undefined),
    );
  };
  return { requests: bounds('request'), limits: bounds('limit') };
}
