import type { DaemonSet, NodeAffinity, PodSpec } from '../../../../imports/kubernetes';
import type { KubernetesObject } from '../../../kubernetes/kubernetes-object';
import { CNI_RESOURCE, INJECT } from '../../annotations';
import { isEmpty } from '../empty';
import { POD_SECURITY } from '../pod/security-context';
import type { RenderContext } from '../render-context';
import type { CniView } from './cni-view';
import { installContainer, installVolumes } from './install-container';
import { creator, labels, NAME } from './metadata';
import { repairController } from './repair-controller';

type DaemonSetSpec = NonNullable<DaemonSet['spec']>;

const POD = { 'k8s-app': NAME };

/** The plugin on every node. */
export function cniDaemonSet(values: CniView, { namespace }: RenderContext): KubernetesObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: NAME, namespace, labels: labels(values, POD), annotations: creator(values) },
    spec: {
      ...rollout(values),
      selector: { matchLabels: POD },
      template: {
        metadata: {
          labels: { ...POD, [CNI_RESOURCE]: 'true', ...values.podLabels },
          annotations: { ...creator(values), [INJECT]: 'disabled' },
        },
        spec: {
          ...placement(values),
          securityContext: POD_SECURITY,
          serviceAccountName: NAME,
          ...(isEmpty(values.extraInitContainers) ? {} : { initContainers: values.extraInitContainers }),
          containers: [installContainer(values), ...repairController(values)],
          volumes: installVolumes(values),
        },
      },
    },
  } satisfies DaemonSet;
}

function rollout(values: CniView): Pick<DaemonSetSpec, 'revisionHistoryLimit' | 'updateStrategy'> {
  if (!values.templates.rolloutChosen) {
    return { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } } };
  }
  const { revisionHistoryLimit, updateStrategy } = values;
  return { revisionHistoryLimit, updateStrategy: updateStrategy as DaemonSetSpec['updateStrategy'] };
}

function placement({ tolerations, nodeAffinity, priorityClassName }: CniView): Partial<PodSpec> {
  return {
    nodeSelector: { 'kubernetes.io/os': 'linux' },
    ...(isEmpty(tolerations) ? {} : { tolerations }),
    ...(isEmpty(nodeAffinity) ? {} : { affinity: { nodeAffinity: nodeAffinity as NodeAffinity } }),
    ...(priorityClassName ? { priorityClassName } : {}),
  };
}
