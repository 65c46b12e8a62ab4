import type { ServiceProfile } from '#imports/crds/linkerd.io';
import type {
  AuthorizationPolicy,
  MeshTLSAuthentication,
  NetworkAuthentication,
  ServerV1Beta1,
  ServerV1Beta3,
} from '#imports/crds/policy.linkerd.io';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { POLICY_GROUP } from '../../api-groups';
import type { RenderContext } from '../../charts/render-context';
import { withCommonLabels } from '../metadata/labels';
import { policyMetadata } from '../metadata/policy-metadata';
import { print } from '../print';
import { component, namespacedComponent, VIZ } from './metadata';
import type { VizView } from './viz-view';

const API_SERVER = 'kube-api-server';

/** Renders the policies for clients of Viz's components. */
export function vizPolicy(values: VizView, context: RenderContext): readonly KubernetesObject[] {
  return [
    ...metricsApiPolicy(values, context),
    ...prometheusPolicy(values, context),
    ...webhookPolicy(values, context),
    anyNetwork(values, context, API_SERVER),
    anyNetwork(values, context, 'kubelet'),
  ];
}

/** Only the dashboard calls metrics-api; the CLI's port forwarding bypasses its proxy. */
function metricsApiPolicy(values: VizView, context: RenderContext): readonly KubernetesObject[] {
  const labels = component('metrics-api');
  const client = 'metrics-api-web';
  return [
    ...guardedPort(values, context, {
      name: 'metrics-api',
      labels,
      podLabels: labels,
      port: 'http',
      proxyProtocol: 'HTTP/1',
      policy: 'metrics-api',
      client: { group: POLICY_GROUP, kind: 'MeshTLSAuthentication', name: client },
    }),
    {
      apiVersion: 'policy.linkerd.io/v1alpha1',
      kind: 'MeshTLSAuthentication',
      metadata: { ...policyMetadata(values, context, labels), name: client },
      spec: { identityRefs: [{ kind: 'ServiceAccount', name: 'web' }] },
    } satisfies MeshTLSAuthentication,
  ];
}

/**
 * Renders the policy of Prometheus: only metrics-api queries it. The chart has the policy even without a Prometheus.
 */
function prometheusPolicy(values: VizView, context: RenderContext): readonly KubernetesObject[] {
  const { namespace } = context;
  return guardedPort(values, context, {
    name: 'prometheus-admin',
    labels: VIZ,
    podLabels: namespacedComponent('prometheus', namespace),
    port: values.templates.adminPort,
    proxyProtocol: 'HTTP/1',
    policy: 'prometheus-admin',
    client: { kind: 'ServiceAccount', name: 'metrics-api', namespace },
  });
}

/** API servers call tap and its injector without an identity in the mesh. */
function webhookPolicy(values: VizView, context: RenderContext): readonly KubernetesObject[] {
  const client = { group: POLICY_GROUP, kind: 'NetworkAuthentication', name: API_SERVER };
  const ports = [
    { name: 'tap-api', policy: 'tap', port: 'apiserver' },
    { name: 'tap-injector-webhook', policy: 'tap-injector', port: 'tap-injector' },
  ];
  return ports.flatMap(({ name, policy, port }) => {
    const labels = component(policy);
    return guardedPort(values, context, {
      name,
      labels,
      podLabels: labels,
      port,
      proxyProtocol: 'TLS',
      policy,
      client,
    });
  });
}

/** The addresses of API servers and kubelets are unknown. */
function anyNetwork(values: VizView, context: RenderContext, name: string): KubernetesObject {
  return {
    apiVersion: 'policy.linkerd.io/v1alpha1',
    kind: 'NetworkAuthentication',
    metadata: { ...policyMetadata(values, context, VIZ), name },
    spec: { networks: [{ cidr: '0.0.0.0/0' }, { cidr: '::/0' }] },
  } satisfies NetworkAuthentication;
}

type Client = AuthorizationPolicy['spec']['requiredAuthenticationRefs'][number];

interface GuardedPort {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly podLabels: Readonly<Record<string, string>>;
  readonly port: string;
  readonly proxyProtocol: 'HTTP/1' | 'TLS';
  readonly policy: string;
  readonly client: Client;
}

function guardedPort(values: VizView, context: RenderContext, port: GuardedPort): readonly KubernetesObject[] {
  const metadata = policyMetadata(values, context, port.labels);
  return [
    {
      apiVersion: values.templates.serverVersion,
      kind: 'Server',
      metadata: { ...metadata, name: port.name },
      spec: {
        podSelector: { matchLabels: { ...port.podLabels } },
        port: port.port,
        proxyProtocol: port.proxyProtocol,
      },
    } satisfies Omit<ServerV1Beta1 | ServerV1Beta3, 'apiVersion'> & { apiVersion: string },
    {
      apiVersion: 'policy.linkerd.io/v1alpha1',
      kind: 'AuthorizationPolicy',
      metadata: { ...metadata, name: port.policy },
      spec: {
        targetRef: { group: POLICY_GROUP, kind: 'Server', name: port.name },
        requiredAuthenticationRefs: [port.client],
      },
    } satisfies AuthorizationPolicy,
  ];
}

type Route = readonly [method: 'GET' | 'POST', path: string];

const METRICS_API: readonly Route[] = [
  ['POST', '/api/v1/StatSummary'],
  ['POST', '/api/v1/TopRoutes'],
  ['POST', '/api/v1/ListPods'],
  ['POST', '/api/v1/ListServices'],
  ['POST', '/api/v1/SelfCheck'],
  ['POST', '/api/v1/Gateways'],
  ['POST', '/api/v1/Edges'],
];

const PROMETHEUS: readonly Route[] = [
  ['POST', '/api/v1/query'],
  ['GET', '/api/v1/query_range'],
  ['GET', '/api/v1/series'],
];

/** Renders the ServiceProfiles of Viz's own services, which split their metrics by route. */
export function serviceProfiles(values: VizView, context: RenderContext): readonly KubernetesObject[] {
  return [
    serviceProfile(values, context, 'metrics-api', METRICS_API),
    ...(values.prometheus.enabled ? [serviceProfile(values, context, 'prometheus', PROMETHEUS)] : []),
  ];
}

function serviceProfile(
  values: VizView,
  { namespace }: RenderContext,
  service: string,
  routes: readonly Route[],
): KubernetesObject {
  return {
    apiVersion: 'linkerd.io/v1alpha2',
    kind: 'ServiceProfile',
    metadata: {
      name: print`${service}.${namespace}.svc.${values.clusterDomain}`,
      namespace,
      labels: withCommonLabels(values, VIZ),
    },
    spec: {
      routes: routes.map(([method, pathRegex]) => ({
        name: `${method} ${pathRegex}`,
        condition: { method, pathRegex },
      })),
    },
  } satisfies ServiceProfile;
}
