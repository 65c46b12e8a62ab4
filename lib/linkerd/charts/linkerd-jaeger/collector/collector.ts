import type { ConfigMap } from '../../../../../imports/kubernetes';
import type { KubernetesObject } from '../../../../kubernetes/kubernetes-object';
import { serviceAccount } from '../../metadata/service-account';
import type { RenderContext } from '../../render-context';
import type { JaegerView } from '../jaeger-view';
import { component, withCommonLabels } from '../metadata';
import { service } from '../workload/service';
import { COLLECTOR_CONFIG, collectorDeployment } from './deployment';
import { RECEIVERS } from './receivers';

/** All of the collector but its policy, if it is to be there. */
export function collector(values: JaegerView, context: RenderContext): readonly KubernetesObject[] {
  if (!values.collector.enabled) return [];
  const { namespace } = context;
  const name = 'collector';
  return [
    serviceAccount(values, { name, namespace, labels: withCommonLabels(values) }),
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

/** The configuration as the template prints it: a text that ends in one line feed. */
function configuration({ collector: { config = '' } }: JaegerView): string {
  const text = config.trim();
  return text === '' ? '' : `${text}\n`;
}
