import type {
  AuthorizationPolicy,
  MeshTLSAuthentication,
  NetworkAuthentication,
  Server,
} from '#imports/crds/policy.linkerd.io';
import type { Deployment, PodDisruptionBudget, Service, Toleration } from '#imports/kubernetes';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { DEFAULT_INBOUND_POLICY, ENABLE_GATEWAY, INJECT, REQUIRE_IDENTITY_INBOUND_PORTS } from '../../annotations';
import { POLICY_GROUP } from '../../api-groups';
import type { RenderContext } from '../../charts/render-context';
import { isEmpty } from '../empty';
import { creator } from '../metadata/created-by';
import { applicationLabels } from '../metadata/labels';
import { serviceAccount } from '../metadata/service-account';
import { affinity } from '../pod/affinity';
import { POD_SECURITY, unprivileged } from '../pod/security-context';
import { print, unquoted } from '../print';
import { component, labels, MULTICLUSTER } from './metadata';
import type { MulticlusterView } from './multicluster-view';

type ServiceSpec = NonNullable<Service['spec']>;

/** Renders the gateway through which other clusters reach this mesh, without its policy. */
export function gateway(values: MulticlusterView, context: RenderContext): readonly KubernetesObject[] {
  const { name = '' } = values.gateway;
  const { namespace } = context;
  return [
    deployment(values, context),
    ...(values.enablePodAntiAffinity ? [disruptionBudget(values, context)] : []),
    service(values, context),
    serviceAccount(values, { name, namespace, labels: labels(values) }),
  ];
}

function gatewayLabel({ gateway: { name = '' } }: MulticlusterView): { readonly app: string } {
  return { app: name };
}

function deployment(values: MulticlusterView, { namespace }: RenderContext): KubernetesObject {
  const { gateway: own } = values;
  const { name = '' } = own;
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name,
      namespace,
      labels: labels(values, {
        ...applicationLabels('gateway', values.linkerdVersion),
        ...component('gateway'),
        ...gatewayLabel(values),
      }),
      annotations: creator(values),
    },
    spec: {
      replicas: own.replicas,
      revisionHistoryLimit: values.revisionHistoryLimit,
      selector: { matchLabels: gatewayLabel(values) },
      strategy: values.enablePodAntiAffinity ? { rollingUpdate: { maxUnavailable: 1 } } : undefined,
      template: {
        metadata: {
          annotations: {
            ...creator(values),
            [INJECT]: 'enabled',
            [REQUIRE_IDENTITY_INBOUND_PORTS]: print`${own.port}`,
            [ENABLE_GATEWAY]: 'true',
            [DEFAULT_INBOUND_POLICY]: 'all-authenticated',
            'cluster-autoscaler.kubernetes.io/safe-to-evict': 'true',
            ...own.deploymentAnnotations,
          },
          labels: { ...gatewayLabel(values), ...MULTICLUSTER, ...values.podLabels },
        },
        spec: {
          affinity: affinity(values, ['app', name]),
          terminationGracePeriodSeconds: seconds(own.terminationGracePeriodSeconds),
          automountServiceAccountToken: false,
          // Only the proxy serves requests, but a pod needs a container besides it.
          containers: [
            { name: 'pause', image: unquoted(own.pauseImage), securityContext: unprivileged(own.UID, own.GID) },
          ],
          securityContext: POD_SECURITY,
          serviceAccountName: name,
          ...placement(own),
        },
      },
    },
  } satisfies Deployment;
}

/** Returns the scheduling fields of a pod, from the values. */
export function placement({
  nodeSelector,
  tolerations,
}: {
  readonly nodeSelector?: Readonly<Record<string, string>> | undefined;
  readonly tolerations?: readonly Toleration[] | undefined;
}) {
  return {
    nodeSelector: isEmpty(nodeSelector) ? undefined : nodeSelector,
    tolerations: isEmpty(tolerations) ? undefined : tolerations,
  };
}

/** The chart also accepts a number as text. */
function seconds(value: string | number | undefined): number | undefined {
  return isEmpty(value) ? undefined : (unquoted(value) as number | undefined);
}

function disruptionBudget(values: MulticlusterView, { namespace }: RenderContext): KubernetesObject {
  const { name = '' } = values.gateway;
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name, namespace, labels: labels(values, gatewayLabel(values)), annotations: creator(values) },
    spec: { maxUnavailable: 1, selector: { matchLabels: gatewayLabel(values) } },
  } satisfies PodDisruptionBudget;
}

function service(values: MulticlusterView, { namespace }: RenderContext): KubernetesObject {
  const { gateway: own, linkerdNamespace, identityTrustDomain } = values;
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name: own.name ?? '',
      namespace,
      labels: labels(values),
      annotations: {
        'mirror.linkerd.io/gateway-identity': print`${own.name}.${namespace}.serviceaccount.identity.${linkerdNamespace}.${identityTrustDomain}`,
        'mirror.linkerd.io/probe-period': print`${own.probe.seconds}`,
        'mirror.linkerd.io/probe-path': unquoted(own.probe.path) ?? '',
        'mirror.linkerd.io/multicluster-gateway': 'true',
        component: 'gateway',
        ...creator(values),
        ...own.serviceAnnotations,
      },
    },
    spec: {
      ports: ports(values),
      selector: gatewayLabel(values),
      type: own.serviceType as ServiceSpec['type'],
      ...reach(values),
    },
  } satisfies Service;
}

function hasNodePorts({ gateway: { serviceType } }: MulticlusterView): boolean {
  return serviceType === 'NodePort' || serviceType === 'LoadBalancer';
}

function ports(values: MulticlusterView): ServiceSpec['ports'] {
  const { gateway: own } = values;
  const onNodes = (nodePort: number | undefined) => (hasNodePorts(values) && nodePort ? { nodePort } : {});
  return [
    { name: 'mc-gateway', port: own.port ?? 0, protocol: 'TCP', ...onNodes(own.nodePort) },
    { name: 'mc-probe', port: own.probe.port ?? 0, protocol: 'TCP', ...onNodes(own.probe.nodePort) },
  ];
}

function reach(values: MulticlusterView): Partial<ServiceSpec> {
  const { gateway: own, templates } = values;
  const { serviceExternalTrafficPolicy: policy, healthCheckNodePort, loadBalancerSourceRanges: ranges } = own;
  return {
    ...(policy ? { externalTrafficPolicy: policy } : {}),
    ...(templates.healthCheckPort && hasNodePorts(values) && healthCheckNodePort ? { healthCheckNodePort } : {}),
    ...(own.loadBalancerClass ? { loadBalancerClass: unquoted(own.loadBalancerClass) } : {}),
    ...(own.loadBalancerIP ? { loadBalancerIP: unquoted(own.loadBalancerIP) } : {}),
    ...(isEmpty(ranges) ? {} : { loadBalancerSourceRanges: ranges }),
  };
}

const SERVER = 'linkerd-gateway';
const ANY_MESHED = 'any-meshed';
const SOURCE_CLUSTER = 'source-cluster';

/** Renders the policy of the gateway: clients with an identity of the mesh may connect, from any network. */
export function gatewayPolicy(values: MulticlusterView, { namespace }: RenderContext): readonly KubernetesObject[] {
  const metadata = { namespace, labels: labels(values, gatewayLabel(values)), annotations: creator(values) };
  const authentication = (kind: string, name: string) => ({ group: POLICY_GROUP, kind, name, namespace });
  return [
    {
      apiVersion: 'policy.linkerd.io/v1beta3',
      kind: 'Server',
      metadata: { ...metadata, name: SERVER },
      spec: { podSelector: { matchLabels: gatewayLabel(values) }, port: 'linkerd-proxy' },
    } satisfies Server,
    {
      apiVersion: 'policy.linkerd.io/v1alpha1',
      kind: 'AuthorizationPolicy',
      metadata: { ...metadata, name: SERVER },
      spec: {
        targetRef: { group: POLICY_GROUP, kind: 'Server', name: SERVER },
        requiredAuthenticationRefs: [
          authentication('MeshTLSAuthentication', ANY_MESHED),
          authentication('NetworkAuthentication', SOURCE_CLUSTER),
        ],
      },
    } satisfies AuthorizationPolicy,
    {
      apiVersion: 'policy.linkerd.io/v1alpha1',
      kind: 'MeshTLSAuthentication',
      metadata: { ...metadata, name: ANY_MESHED },
      spec: { identities: ['*'] },
    } satisfies MeshTLSAuthentication,
    {
      apiVersion: 'policy.linkerd.io/v1alpha1',
      kind: 'NetworkAuthentication',
      metadata: { ...metadata, name: SOURCE_CLUSTER },
      spec: { networks: [{ cidr: '0.0.0.0/0' }, { cidr: '::/0' }] },
    } satisfies NetworkAuthentication,
  ];
}
