import type { Service, ServicePort } from '../../../../imports/kubernetes';
import type { KubernetesObject } from '../../../kubernetes/kubernetes-object';
import type { RenderContext } from '../../render-context';
import type { JaegerView } from '../jaeger-view';
import { component, withCommonLabels } from '../metadata';

/** The Service of a component. */
export function service(
  values: JaegerView,
  { namespace }: RenderContext,
  name: string,
  selector: Readonly<Record<string, string>>,
  ports: readonly ServicePort[],
): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace, labels: withCommonLabels(values, component(name)) },
    spec: { type: 'ClusterIP', selector: { ...selector }, ports },
  } satisfies Service;
}
