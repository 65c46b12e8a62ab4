import type { APIService } from '../../../../../imports/kubernetes';
import type { KubernetesObject } from '../../../../kubernetes/kubernetes-object';
import { caInjection, pinnedCa } from '../../pod/serving-certificate';
import type { RenderContext } from '../../render-context';
import { component, withCommonLabels } from '../metadata/labels';
import type { VizView } from '../viz-view';

/** Makes the API server pass on requests for tap, so that Kubernetes' RBAC says who may watch what. */
export function tapApiService(values: VizView, { namespace }: RenderContext): KubernetesObject {
  const group = 'tap.linkerd.io';
  const version = 'v1alpha1';
  return {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: {
      name: `${version}.${group}`,
      labels: withCommonLabels(values, component('tap')),
      ...caInjection(values.tap),
    },
    spec: {
      group,
      version,
      groupPriorityMinimum: 1000,
      versionPriority: 100,
      service: { name: 'tap', namespace },
      ...pinnedCa(values.tap),
    },
  } satisfies APIService;
}
