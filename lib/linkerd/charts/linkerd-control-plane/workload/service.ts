import type { Service, ServicePort } from '../../../../../imports/kubernetes';
import type { KubernetesObject } from '../../../../kubernetes/kubernetes-object';
import { createdBy } from '../../metadata/created-by';
import { component, labels } from '../../metadata/labels';
import type { RenderContext } from '../../render-context';
import type { ControlPlaneView } from '../control-plane-view';

/** A Service in front of a component of the control plane. */
interface ServiceOptions {
  readonly name: string;
  readonly component: string;
  readonly port: ServicePort;
  /** Tells whether clients see the pods themselves rather than one address. */
  readonly isHeadless?: boolean;
  readonly annotations?: Readonly<Record<string, string>>;
}

export function service(
  values: ControlPlaneView,
  { namespace }: RenderContext,
  options: ServiceOptions,
): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name: options.name,
      namespace,
      labels: labels(values, namespace, component(options.component)),
      annotations: { ...createdBy(values), ...options.annotations },
    },
    spec: {
      ...(options.isHeadless ? { clusterIP: 'None' } : { type: 'ClusterIP' }),
      selector: component(options.component),
      ports: [options.port],
    },
  } satisfies Service;
}
