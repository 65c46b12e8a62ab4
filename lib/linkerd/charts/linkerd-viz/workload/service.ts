import type { Service, ServicePort } from '../../../../../imports/kubernetes';
import type { KubernetesObject } from '../../../../kubernetes/kubernetes-object';
import { INJECT } from '../../../annotations';
import type { RenderContext } from '../../render-context';
import { creator } from '../metadata/creator';
import { component } from '../metadata/labels';
import type { VizView } from '../viz-view';

/** The differences between the Services of Viz. */
interface ServiceOptions {
  /** Name of the Service, and of the component behind it. */
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ports: readonly ServicePort[];
}

export function service(values: VizView, { namespace }: RenderContext, options: ServiceOptions): KubernetesObject {
  const { name, labels, annotations, ports } = options;
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name,
      namespace,
      labels: { ...labels },
      annotations: { ...creator(values), ...annotations, [INJECT]: 'enabled' },
    },
    spec: { type: 'ClusterIP', selector: component(name), ports },
  } satisfies Service;
}
