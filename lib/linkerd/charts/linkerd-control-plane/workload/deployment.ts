import type { Deployment, PodSpec } from '../../../../../imports/kubernetes';
import type { KubernetesObject } from '../../../../kubernetes/kubernetes-object';
import { CONTROL_PLANE_COMPONENT, CONTROL_PLANE_NS, DEFAULT_INBOUND_POLICY, WORKLOAD_NS } from '../../../annotations';
import { isEmpty } from '../../empty';
import { createdBy } from '../../metadata/created-by';
import { applicationLabels, component, labels } from '../../metadata/labels';
import { affinity } from '../../pod/affinity';
import { tokenAutomount } from '../../pod/kube-api-access';
import { POD_SECURITY } from '../../pod/security-context';
import type { RenderContext } from '../../render-context';
import type { ControlPlaneView } from '../control-plane-view';
import { scheduling } from '../pod/scheduling';

/** The differences between the Deployments of the control plane. */
export interface Workload {
  /** The component: its Deployment and its service account are `linkerd-<component>`. */
  readonly component: 'destination' | 'identity' | 'proxy-injector';
  /** Labels by which the Deployment finds its pods. They cannot change once it exists. */
  readonly selector: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly pod: Pick<PodSpec, 'containers' | 'initContainers' | 'volumes'>;
}

/** The Deployment of a component. */
export function deployment(
  values: ControlPlaneView,
  { namespace }: RenderContext,
  workload: Workload,
): KubernetesObject {
  const name = `linkerd-${workload.component}`;
  const application = {
    ...applicationLabels(workload.component, values.linkerdVersion),
    ...component(workload.component),
  };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, labels: labels(values, namespace, application), annotations: createdBy(values) },
    spec: {
      replicas: values.controllerReplicas,
      revisionHistoryLimit: values.revisionHistoryLimit,
      selector: { matchLabels: { ...workload.selector } },
      strategy: isEmpty(values.deploymentStrategy) ? undefined : values.deploymentStrategy,
      template: {
        metadata: {
          // API servers call webhooks from anywhere and without an identity, whatever the mesh's default is.
          annotations: { ...workload.annotations, [DEFAULT_INBOUND_POLICY]: 'all-unauthenticated' },
          labels: {
            ...podSelector(workload.component, namespace),
            [WORKLOAD_NS]: namespace,
            ...values.podLabels,
          },
        },
        spec: {
          ...scheduling(values),
          affinity: affinity(values, [CONTROL_PLANE_COMPONENT, workload.component]),
          ...tokenAutomount(values),
          securityContext: POD_SECURITY,
          serviceAccountName: name,
          ...workload.pod,
        },
      },
    },
  } satisfies Deployment;
}

/** The labels that tell the pods of a component from all others. */
export function podSelector(name: Workload['component'], namespace: string): Record<string, string> {
  return {
    ...component(name),
    [CONTROL_PLANE_NS]: namespace,
    'linkerd.io/proxy-deployment': `linkerd-${name}`,
  };
}
