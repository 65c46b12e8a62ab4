import type { ConfigMap } from '../../../../../imports/kubernetes';
import type { KubernetesObject } from '../../../../kubernetes/kubernetes-object';
import type { RenderContext } from '../../render-context';
import { creator } from '../metadata/creator';
import { namespacedComponent, withCommonLabels } from '../metadata/labels';
import type { VizView } from '../viz-view';
import { prometheusConfig } from './config';

/** Name of the ConfigMap, and of the volume that it is in. */
export const CONFIG_MAP = 'prometheus-config';

export function prometheusConfigMap(values: VizView, context: RenderContext): KubernetesObject {
  const { namespace } = context;
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: CONFIG_MAP,
      namespace,
      labels: withCommonLabels(values, namespacedComponent('prometheus', namespace)),
      annotations: creator(values),
    },
    data: { 'prometheus.yml': prometheusConfig(values, context) },
  } satisfies ConfigMap;
}
