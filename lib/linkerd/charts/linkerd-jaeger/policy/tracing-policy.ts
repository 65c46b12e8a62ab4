import type { KubernetesObject } from '../../../../kubernetes/kubernetes-object';
import type { RenderContext } from '../../render-context';
import { HEALTH_PORT, RECEIVERS } from '../collector/receivers';
import type { JaegerView } from '../jaeger-view';
import { component } from '../metadata';
import { authorization, server } from './policy';

/** The namespace in which the chart takes Viz to be. */
const VIZ_NAMESPACE = 'linkerd-viz';

/** Renders the policies on who may connect to the collector and to Jaeger, which the chart has with the collector only. */
export function tracingPolicy(values: JaegerView, context: RenderContext): readonly KubernetesObject[] {
  if (!values.collector.enabled) return [];
  return [...collectorPolicy(values, context), ...jaegerPolicy(values, context)];
}

/** Everybody may send spans, meshed or not. */
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

/** Takes from an object the labels that the user gives to everything: the chart forgets them on one. */
function withoutCommonLabels(object: KubernetesObject, labels: Record<string, string>): KubernetesObject {
  return { ...object, metadata: { ...object.metadata, labels } };
}

/** The clients of Jaeger: the collector sends spans, Viz' Prometheus scrapes, and Viz' dashboard shows them. */
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
