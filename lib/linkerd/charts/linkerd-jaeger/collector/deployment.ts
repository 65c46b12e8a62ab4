import type { Container } from '../../../../../imports/kubernetes';
import type { KubernetesObject } from '../../../../kubernetes/kubernetes-object';
import { PROXY_WAIT_BEFORE_EXIT_SECONDS } from '../../../annotations';
import { env } from '../../pod/environment';
import type { RenderContext } from '../../render-context';
import type { JaegerView } from '../jaeger-view';
import { confined } from '../workload/container';
import { deployment, scrapedAt } from '../workload/deployment';
import { HEALTH_PORT, METRICS_PORT, RECEIVERS } from './receivers';

/** Name of the ConfigMap with the collector's configuration, and of the key in it. */
export const COLLECTOR_CONFIG = 'collector-config';

const VOLUME = 'collector-config-val';
const FILE = `${COLLECTOR_CONFIG}.yaml`;
const PROBE = { httpGet: { path: '/', port: HEALTH_PORT } };

/** The OpenTelemetry collector, which takes spans and hands them on. */
export function collectorDeployment(values: JaegerView, context: RenderContext): KubernetesObject {
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
