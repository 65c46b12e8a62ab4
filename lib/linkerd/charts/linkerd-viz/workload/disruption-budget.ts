import type { PodDisruptionBudget } from '../../../../../imports/kubernetes';
import type { KubernetesObject } from '../../../../kubernetes/kubernetes-object';
import type { RenderContext } from '../../render-context';
import { creator } from '../metadata/creator';
import { component, namespacedComponent, withCommonLabels } from '../metadata/labels';
import type { VizView } from '../viz-view';

/** Lets one replica of a component be evicted at once, where there are several. */
export function disruptionBudget(
  values: VizView,
  { namespace }: RenderContext,
  name: string,
  replicas: number | undefined,
): readonly KubernetesObject[] {
  if (!values.enablePodDisruptionBudget || replicas === undefined || replicas < 2) return [];
  return [
    {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: {
        name,
        namespace,
        labels: withCommonLabels(values, namespacedComponent(name, namespace)),
        annotations: creator(values),
      },
      spec: { maxUnavailable: 1, selector: { matchLabels: component(name) } },
    } satisfies PodDisruptionBudget,
  ];
}
