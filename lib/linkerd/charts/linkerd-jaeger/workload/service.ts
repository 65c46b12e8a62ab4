import type { Service, ServicePort } from '../../../../../imports/kubernetes';
import type { KubernetesObject } from '../../../../kubernetes/kubernetes-object';
import type { RenderContext } from '../../render-context';
import type { JaegerView } from '../jaeger-view';
import { component, withCommonLabels } from '../metadata';

/** The differences between the Services of the extension. */
interface ServiceOptions {
  /** Name of the Service, and of the component behind it. */
  readonly name: string;
  readonly selector: Readonly<Record<string, string>>;
  readonly ports: readonly ServicePort[];
}

/** The Service of a component. */
export function service(values: JaegerView, { namespace }: RenderContext, options: ServiceOptions): KubernetesObject {
  const { name, selector, ports } = options;
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace, labels: withCommonLabels(values, component(name)) },
    spec: { type: 'ClusterIP', selector: { ...selector }, ports },
  } satisfies Service;
}
