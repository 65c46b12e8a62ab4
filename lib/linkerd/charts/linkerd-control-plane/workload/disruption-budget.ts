import type { PodDisruptionBudget } from '../../../../../imports/kubernetes';
import type { KubernetesObject } from '../../../../kubernetes/kubernetes-object';
import { createdBy } from '../../metadata/created-by';
import { component, labels } from '../../metadata/labels';
import type { RenderContext } from '../../render-context';
import type { ControlPlaneView } from '../control-plane-view';

/** Renders the number of a component's replicas that may be evicted at once, if the values limit it. */
export function disruptionBudget(
  values: ControlPlaneView,
  { namespace }: RenderContext,
  name: string,
  componentName: string,
): readonly KubernetesObject[] {
  if (!values.enablePodDisruptionBudget) return [];
  return [
    {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: {
        name,
        namespace,
        labels: labels(values, namespace, component(componentName)),
        annotations: createdBy(values),
      },
      spec: {
        maxUnavailable: values.controller.podDisruptionBudget.maxUnavailable,
        selector: { matchLabels: component(componentName) },
      },
    } satisfies PodDisruptionBudget,
  ];
}
