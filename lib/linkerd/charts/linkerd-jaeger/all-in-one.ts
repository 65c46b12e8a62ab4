import type { Container } from '../../../../imports/kubernetes';
import type { RenderContext } from '../../../charts/render-context';
import type { KubernetesObject } from '../../../kubernetes/kubernetes-object';
import { isEmpty } from '../empty';
import { withCommonLabels } from '../metadata/labels';
import { serviceAccount } from '../metadata/service-account';
import type { JaegerView } from './jaeger-view';
import { JAEGER } from './metadata';
import { confined, deployment, scrapedAt, service } from './workload';

const NAME = 'jaeger';
const METRICS_PORT = 14269;

const PORTS = [
  { name: 'collection', port: 14268 },
  { name: 'grpc', port: 14250 },
  { name: 'ui', port: 16686 },
];

/** Renders all of Jaeger in one process, which keeps spans in memory, if enabled. */
export function allInOne(values: JaegerView, context: RenderContext): readonly KubernetesObject[] {
  if (!values.jaeger.enabled) return [];
  const selector = { component: NAME };
  return [
    serviceAccount(values, { name: NAME, namespace: context.namespace, labels: withCommonLabels(values, JAEGER) }),
    service(values, context, { name: NAME, selector, ports: PORTS }),
    deployment(values, context, {
      name: NAME,
      selector,
      podAnnotations: scrapedAt(METRICS_PORT),
      placement: values.jaeger,
      pod: { containers: [container(values)], dnsPolicy: 'ClusterFirst' },
    }),
  ];
}

function container(values: JaegerView): Container {
  const { args } = values.jaeger;
  return {
    name: NAME,
    ...confined(values, values.jaeger),
    ...(isEmpty(args) ? {} : { args }),
    ports: [
      { containerPort: METRICS_PORT, name: 'admin' },
      ...PORTS.map(({ name, port }) => ({ containerPort: port, name })),
    ],
  };
}
