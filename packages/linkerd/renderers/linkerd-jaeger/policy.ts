import type { AuthorizationPolicy, ServerV1Beta1 } from '#imports/crds/policy.linkerd.io';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { POLICY_GROUP } from '../../api-groups';
import type { RenderContext } from '../../charts/render-context';
import { policyMetadata } from '../metadata/policy-metadata';
import { HEALTH_PORT, RECEIVERS } from './collector';
import type { JaegerView } from './jaeger-view';
import { component } from './metadata';

type Labels = Readonly<Record<string, string>>;
type Client = AuthorizationPolicy['spec']['requiredAuthenticationRefs'][number];

interface GuardedPort {
  readonly name: string;
  readonly labels: Labels;
  readonly podLabels: Labels;
  readonly port: string | number;
  readonly proxyProtocol?: NonNullable<ServerV1Beta1['spec']['proxyProtocol']>;
}

/** Renders a Server of the extension. */
export function server(
  values: JaegerView,
  context: RenderContext,
  { name, labels, podLabels, port, proxyProtocol }: GuardedPort,
): KubernetesObject {
  return {
    apiVersion: 'policy.linkerd.io/v1beta1',
    kind: 'Server',
    metadata: { ...policyMetadata(values, context, labels), name },
    spec: { podSelector: { matchLabels: { ...podLabels } }, port, ...(proxyProtocol ? { proxyProtocol } : {}) },
  } satisfies ServerV1Beta1;
}

interface Authorization {
  readonly name: string;
  readonly labels: Labels;
  readonly server: string;
  /** An empty list allows all clients. */
  readonly clients: readonly Client[];
}

/** Renders an AuthorizationPolicy of the extension. */
export function authorization(
  values: JaegerView,
  context: RenderContext,
  { name, labels, server: target, clients }: Authorization,
): KubernetesObject {
  return {
    apiVersion: 'policy.linkerd.io/v1alpha1',
    kind: 'AuthorizationPolicy',
    metadata: { ...policyMetadata(values, context, labels), name },
    spec: {
      targetRef: { group: POLICY_GROUP, kind: 'Server', name: target },
      requiredAuthenticationRefs: clients,
    },
  } satisfies AuthorizationPolicy;
}

/** The namespace in which the chart expects Viz. */
const VIZ_NAMESPACE = 'linkerd-viz';

/** Renders the policies for clients of the collector and of Jaeger, which the chart has only with the collector. */
export function tracingPolicy(values: JaegerView, context: RenderContext): readonly KubernetesObject[] {
  if (!values.collector.enabled) return [];
  return [...collectorPolicy(values, context), ...jaegerPolicy(values, context)];
}

function collectorPolicy(values: JaegerView, context: RenderContext): readonly KubernetesObject[] {
  const labels = component('collector');
  const podLabels = { component: 'collector' };
  return [
    ...RECEIVERS.flatMap(({ name: receiver, ...port }) => {
      const name = `collector-${receiver}`;
      const one = server(values, context, { name, labels, podLabels, ...port });
      return [
        receiver === 'otlp-http' ? withoutCommonLabels(one, labels) : one,
        authorization(values, context, { name, labels, server: name, clients: [] }),
      ];
    }),
    server(values, context, {
      name: 'collector-admin',
      labels,
      podLabels,
      port: HEALTH_PORT,
      proxyProtocol: 'HTTP/1',
    }),
  ];
}

/** Removes the user's common labels from the one object on which the chart omits them. */
function withoutCommonLabels(object: KubernetesObject, labels: Record<string, string>): KubernetesObject {
  return { ...object, metadata: { ...object.metadata, labels } };
}

/**
 * The collector sends spans to Jaeger, the Prometheus of Viz scrapes Jaeger, and the dashboard of Viz shows its pages.
 */
function jaegerPolicy(values: JaegerView, context: RenderContext): readonly KubernetesObject[] {
  const labels = component('jaeger');
  const podLabels = { component: 'jaeger' };
  const ports = [
    { port: 'grpc', proxyProtocol: 'gRPC', client: 'collector', namespace: context.namespace },
    { port: 'admin', proxyProtocol: 'HTTP/1', client: 'prometheus', namespace: VIZ_NAMESPACE },
    { port: 'ui', proxyProtocol: 'HTTP/1', client: 'web', namespace: VIZ_NAMESPACE },
  ] as const;
  return ports.flatMap(({ port, proxyProtocol, client, namespace }) => {
    const name = `jaeger-${port}`;
    return [
      server(values, context, { name, labels, podLabels, port, proxyProtocol }),
      authorization(values, context, {
        name,
        labels,
        server: name,
        clients: [{ kind: 'ServiceAccount', name: client, namespace }],
      }),
    ];
  });
}
