import type { PodDisruptionBudget, Service } from '#imports/kubernetes';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import type { RenderContext } from '#linkerd/charts/render-context';
import { creator } from '../../metadata/created-by';
import { affinity } from '../../pod/affinity';
import { print } from '../../print';
import { placement } from '../gateway';
import { CLUSTER_NAME, component, labels } from '../metadata';
import type { LinkController, MulticlusterView } from '../multicluster-view';
import { linkRbac } from './link-rbac';
import { type Mirror, mirrorDeployment } from './mirror-workload';

/** Renders the service mirror of one link. */
export function linkController(
  values: MulticlusterView,
  context: RenderContext,
  controller: LinkController,
): readonly KubernetesObject[] {
  const { name } = controller.link.ref;
  // Unlike the link's other objects, its budget follows the `enablePodAntiAffinity` of the chart by default.
  const hasBudget = controller.enablePodAntiAffinity ?? values.enablePodAntiAffinity;
  return [
    mirrorDeployment(values, context, mirrorOf(values, context, controller)),
    ...(hasBudget ? [disruptionBudget(values, context, name)] : []),
    ...((controller.gateway?.enabled ?? values.controllerDefaults.gateway.enabled)
      ? [probeService(values, context, controller)]
      : []),
    ...linkRbac(values, context, name),
  ];
}

function mirrorOf(values: MulticlusterView, { namespace }: RenderContext, controller: LinkController): Mirror {
  const { name: link } = controller.link.ref;
  const { controllerDefaults } = values;
  const own = { ...controllerDefaults, ...controller };
  const isSpread = own.enablePodAntiAffinity;
  const image = { ...controllerDefaults.image, ...controller.image };
  return {
    name: `controller-${link}`,
    replicas: own.replicas,
    isSpread: Boolean(isSpread),
    labels: { ...component('controller'), [CLUSTER_NAME]: link },
    selector: { component: 'controller', [CLUSTER_NAME]: link },
    pod: {
      affinity: affinity({ enablePodAntiAffinity: isSpread, nodeAffinity: own.nodeAffinity }, [CLUSTER_NAME, link]),
      ...placement(own),
    },
    container: {
      name: 'controller',
      args: [
        'service-mirror',
        print`-log-level=${own.logLevel}`,
        print`-log-format=${own.logFormat}`,
        print`-event-requeue-limit=${own.retryLimit}`,
        `-namespace=${namespace}`,
        ...(own.enableHeadlessServices ? ['-enable-headless-services'] : []),
        ...(values.enableNamespaceCreation ? ['-enable-namespace-creation'] : []),
        print`-enable-pprof=${own.enablePprof}`,
        `-probe-service=probe-${link}`,
        link,
      ],
      env: [...(values.serviceMirrorAdditionalEnv ?? []), ...(values.serviceMirrorExperimentalEnv ?? [])],
      image: print`${image.name}:${image.version}`,
      adminPort: 'ctrl-admin',
      resources: own.resources,
      UID: own.UID,
      GID: own.GID,
    },
  };
}

function disruptionBudget(values: MulticlusterView, { namespace }: RenderContext, link: string): KubernetesObject {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: {
      name: `controller-${link}`,
      namespace,
      labels: { component: 'controller' },
      annotations: creator(values),
    },
    spec: { maxUnavailable: 1, selector: { matchLabels: { component: 'controller', [CLUSTER_NAME]: link } } },
  } satisfies PodDisruptionBudget;
}

/** Renders the Service for probes, in which the service mirror sets the gateway's address. */
function probeService(
  values: MulticlusterView,
  { namespace }: RenderContext,
  { link: { ref }, gateway }: LinkController,
): KubernetesObject {
  const port = gateway?.probe?.port ?? values.controllerDefaults.gateway.probe.port;
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name: `probe-${ref.name}`,
      namespace,
      labels: labels(values, { 'mirror.linkerd.io/mirrored-gateway': 'true', [CLUSTER_NAME]: ref.name }),
      annotations: creator(values),
    },
    spec: { ports: [{ name: 'mc-probe', port: port ?? 0, protocol: 'TCP' }] },
  } satisfies Service;
}
