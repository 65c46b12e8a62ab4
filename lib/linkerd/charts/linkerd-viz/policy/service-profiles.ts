import type { ServiceProfile } from '../../../../../imports/crds/linkerd.io';
import type { KubernetesObject } from '../../../../kubernetes/kubernetes-object';
import { print } from '../../print';
import type { RenderContext } from '../../render-context';
import { VIZ, withCommonLabels } from '../metadata/labels';
import type { VizView } from '../viz-view';

type Route = readonly [method: 'GET' | 'POST', path: string];

const METRICS_API: readonly Route[] = [
  ['POST', '/api/v1/StatSummary'],
  ['POST', '/api/v1/TopRoutes'],
  ['POST', '/api/v1/ListPods'],
  ['POST', '/api/v1/ListServices'],
  ['POST', '/api/v1/SelfCheck'],
  ['POST', '/api/v1/Gateways'],
  ['POST', '/api/v1/Edges'],
];

const PROMETHEUS: readonly Route[] = [
  ['POST', '/api/v1/query'],
  ['GET', '/api/v1/query_range'],
  ['GET', '/api/v1/series'],
];

/** The routes of Viz' own services, so that their metrics tell them apart. */
export function serviceProfiles(values: VizView, context: RenderContext): readonly KubernetesObject[] {
  return [
    serviceProfile(values, context, 'metrics-api', METRICS_API),
    ...(values.prometheus.enabled ? [serviceProfile(values, context, 'prometheus', PROMETHEUS)] : []),
  ];
}

function serviceProfile(
  values: VizView,
  { namespace }: RenderContext,
  service: string,
  routes: readonly Route[],
): KubernetesObject {
  return {
    apiVersion: 'linkerd.io/v1alpha2',
    kind: 'ServiceProfile',
    metadata: {
      name: print`${service}.${namespace}.svc.${values.clusterDomain}`,
      namespace,
      labels: withCommonLabels(values, VIZ),
    },
    spec: {
      routes: routes.map(([method, pathRegex]) => ({
        name: `${method} ${pathRegex}`,
        condition: { method, pathRegex },
      })),
    },
  } satisfies ServiceProfile;
}
