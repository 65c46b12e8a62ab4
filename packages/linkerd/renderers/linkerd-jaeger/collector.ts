import type { ConfigMap, Container } from '#imports/kubernetes';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { PROXY_WAIT_BEFORE_EXIT_SECONDS } from '../../annotations';
import type { RenderContext } from '../../charts/render-context';
import { withCommonLabels } from '../metadata/labels';
import { serviceAccount } from '../metadata/service-account';
import { env } from '../pod/environment';
import type { JaegerView } from './jaeger-view';
import { component, JAEGER } from './metadata';
import { confined, deployment, scrapedAt, service } from './workload';

/** The ports at which the collector receives spans, by protocol. */
export const RECEIVERS = [
  { name: 'otlp', port: 4317, proxyProtocol: 'gRPC' },
  { name: 'otlp-http', port: 4318, proxyProtocol: 'HTTP/1' },
  { name: 'opencensus', port: 55678, proxyProtocol: 'gRPC' },
  { name: 'zipkin', port: 9411 },
  { name: 'jaeger-thrift', port: 14268 },
  { name: 'jaeger-grpc', port: 14250 },
] as const;

/** The port of the collector's health checks. */
export const HEALTH_PORT = 13133;

const METRICS_PORT = 8888;

/** Renders the collector without its policy, if enabled. */
export function collector(values: JaegerView, context: RenderContext): readonly KubernetesObject[] {
  if (!values.collector.enabled) return [];
  const { namespace } = context;
  const name = 'collector';
  return [
    serviceAccount(values, { name, namespace, labels: withCommonLabels(values, JAEGER) }),
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: COLLECTOR_CONFIG, namespace, labels: withCommonLabels(values, component(name)) },
      data: { [COLLECTOR_CONFIG]: configuration(values) },
    } satisfies ConfigMap,
    service(values, context, {
      name,
      selector: { component: name },
      ports: RECEIVERS.map(({ name, port }) => ({ name, port, protocol: 'TCP', targetPort: port })),
    }),
    collectorDeployment(values, context),
  ];
}

/** As the template prints it: a string that ends with one line feed. */
function configuration({ collector: { config = '' } }: JaegerView): string {
  const text = config.trim();
  return text === '' ? '' : `${text}\n`;
}

const COLLECTOR_CONFIG = 'collector-config';

const VOLUME = 'collector-config-val';
const FILE = `${COLLECTOR_CONFIG}.yaml`;
const PROBE = { httpGet: { path: '/', port: HEALTH_PORT } };

function collectorDeployment(values: JaegerView, context: RenderContext): KubernetesObject {
  const name = 'collector';
  const configMap = { name: COLLECTOR_CONFIG, items: [{ key: COLLECTOR_CONFIG, path: FILE }] };
  return deployment(values, context, {
    name,
    selector: { component: name },
    podAnnotations: { [PROXY_WAIT_BEFORE_EXIT_SECONDS]: '0', ...scrapedAt(METRICS_PORT) },
    placement: values.collector,
    rollout: { minReadySeconds: 5, progressDeadlineSeconds: 120 },
    pod: { containers: [container(values)], volumes: [{ name: VOLUME, configMap }] },
  });
}

function container(values: JaegerView): Container {
  return {
    name: 'ot-collector',
    ...confined(values, values.collector),
    command: ['/otelcol', `--config=/conf/${FILE}`],
    env: [
      env('GOGC', 80),
      { name: 'POD_NAMESPACE', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } } },
    ],
    ports: [HEALTH_PORT, ...RECEIVERS.map(({ port }) => port), METRICS_PORT].map((containerPort) => ({
      containerPort,
    })),
    livenessProbe: PROBE,
    readinessProbe: PROBE,
    volumeMounts: [{ mountPath: '/conf', name: VOLUME }],
  };
}
