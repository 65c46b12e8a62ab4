import type { PodDisruptionBudget } from '#imports/kubernetes';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import type { RenderContext } from '#linkerd/charts/render-context';
import { creator } from '../../metadata/created-by';
import { affinity } from '../../pod/affinity';
import { addedEnvironment } from '../../pod/environment';
import { print } from '../../print';
import { placement } from '../gateway';
import { component } from '../metadata';
import type { MulticlusterView } from '../multicluster-view';
import { localMirrorRbac } from './link-rbac';
import { mirrorDeployment } from './mirror-workload';

const NAME = 'linkerd-local-service-mirror';
const COMPONENT = 'local-service-mirror';
const SELECTOR = { component: COMPONENT };

/** Renders the mirror of this cluster's own services, which makes them members of federated Services. */
export function localMirror(values: MulticlusterView, context: RenderContext): readonly KubernetesObject[] {
  const { localServiceMirror: own } = values;
  return [
    ...localMirrorRbac(values, context),
    mirrorDeployment(values, context, {
      name: NAME,
      replicas: own.replicas,
      isSpread: Boolean(values.enablePodAntiAffinity),
      labels: component(COMPONENT),
      selector: SELECTOR,
      pod: {
        affinity: values.enablePodAntiAffinity ? affinity(values, ['component', COMPONENT]) : undefined,
        ...placement(values),
      },
      container: {
        name: 'service-mirror',
        args: localArguments(values, context),
        env: addedEnvironment(own),
        image: print`${own.image.name}:${own.image.version}`,
        adminPort: 'locsm-admin',
        resources: own.resources,
        UID: own.UID,
        GID: own.GID,
      },
    }),
    ...(values.enablePodAntiAffinity ? [disruptionBudget(values, context)] : []),
  ];
}

function localArguments(
  { localServiceMirror: own }: MulticlusterView,
  { namespace }: RenderContext,
): readonly string[] {
  return [
    'service-mirror',
    print`-log-level=${own.logLevel}`,
    print`-log-format=${own.logFormat}`,
    print`-event-requeue-limit=${own.serviceMirrorRetryLimit}`,
    `-namespace=${namespace}`,
    `-enable-pprof=${own.enablePprof || false}`,
    '-local-mirror',
    print`-federated-service-selector=${own.federatedServiceSelector}`,
    print`-excluded-labels=${own.excludedLabels}`,
    print`-excluded-annotations=${own.excludedAnnotations}`,
  ];
}

function disruptionBudget(values: MulticlusterView, { namespace }: RenderContext): KubernetesObject {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: NAME, namespace, labels: SELECTOR, annotations: creator(values) },
    spec: { maxUnavailable: 1, selector: { matchLabels: SELECTOR } },
  } satisfies PodDisruptionBudget;
}
